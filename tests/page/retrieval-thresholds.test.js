import assert from "node:assert/strict";
import { test } from "node:test";
import {
  orderedThresholds,
  classOf,
  parseDistance,
  moveThreshold,
  thresholdOrigin,
  position,
  scaleOf,
  serviceSnippet,
  thresholdsOf,
} from "../../functions/page/src/views/retrieval/thresholds.js";

const SET = { match: 0.25, partial: 0.5 };
const METADATA = {
  display_name: "Handbook",
  description: "",
  embedding_model: "lexical",
  match_threshold: null,
  partial_threshold: null,
};
const COLLECTION = {
  name: "handbook",
  metadata: METADATA,
  documents: 1,
  passages: 2,
  bytes: 3,
  calibrated_passages: null,
  created_at: "2026-01-15T12:00:00+00:00",
  updated_at: "2026-01-15T12:00:00+00:00",
};

test("a distance belongs to the first threshold above it", () => {
  const classes = [0, 0.249, 0.25, 0.499, 0.5, 2].map((distance) => classOf(distance, SET));

  assert.deepEqual(classes, ["match", "match", "partial", "partial", "none", "none"]);
});

test("no passage is no match and equal thresholds leave no partial class", () => {
  assert.equal(classOf(undefined, SET), "none");
  assert.deepEqual(
    [0.39, 0.4].map((distance) => classOf(distance, { match: 0.4, partial: 0.4 })),
    ["match", "none"],
  );
});

test("invalid distances are rejected", () => {
  const read = ["0", "0.648", " 1 ", "2", "2.001", "-0.1", "", "  ", "near", "Infinity", undefined].map(parseDistance);
  const nothing = Array.from({ length: 7 }, () => undefined);

  assert.deepEqual(read, [0, 0.648, 1, 2, ...nothing]);
});

test("thresholds need both values and match is never the larger one", () => {
  assert.deepEqual(
    [
      orderedThresholds(0.25, 0.5),
      orderedThresholds(0.6, 0.5),
      orderedThresholds(0, 0),
      orderedThresholds(0.25, undefined),
      orderedThresholds(undefined, 0.5),
    ],
    [SET, { match: 0.6, partial: 0.6 }, { match: 0, partial: 0 }, undefined, undefined],
  );
});

test("a threshold moved past the other moves it too", () => {
  assert.deepEqual(moveThreshold(SET, "match", 0.3), { match: 0.3, partial: 0.5 });
  assert.deepEqual(moveThreshold(SET, "match", 0.7), { match: 0.7, partial: 0.7 });
  assert.deepEqual(moveThreshold(SET, "partial", 0.3), { match: 0.25, partial: 0.3 });
  assert.deepEqual(moveThreshold(SET, "partial", 0.1), { match: 0.1, partial: 0.1 });
});

test("a collection's own thresholds take precedence over those of the answer", () => {
  const own = { match_threshold: 0.1, partial_threshold: 0.2 };

  assert.deepEqual(thresholdsOf(own, SET), { match: 0.1, partial: 0.2 });
  assert.deepEqual(thresholdsOf({ match_threshold: 0, partial_threshold: null }, SET), { match: 0, partial: 0.5 });
  assert.deepEqual(thresholdsOf({}, SET), SET);
  assert.equal(thresholdsOf({ match_threshold: 0.1, partial_threshold: null }, undefined), undefined);
});

test("the origin of thresholds is described", () => {
  const having = (/** @type {number | null} */ match, /** @type {number | null} */ partial) =>
    thresholdOrigin({ ...COLLECTION, metadata: { ...METADATA, match_threshold: match, partial_threshold: partial } });

  assert.deepEqual(
    [having(0.1, 0.2), having(0, 0), having(0.1, null), having(null, 0.2), having(null, null)],
    [
      "set by an operator",
      "set by an operator",
      "one set by an operator, one from the service",
      "one set by an operator, one from the service",
      "from the service",
    ],
  );
  assert.equal(thresholdOrigin({ ...COLLECTION, calibrated_passages: 0 }), "calibrated from passages");
});

test("a scale covers the found distances on a grid", () => {
  assert.deepEqual(scaleOf([0.626, 0.736], { match: 0.6, partial: 0.65 }), { low: 0.55, high: 0.8 });
});

test("a scale covers thresholds far from the distances", () => {
  assert.deepEqual(scaleOf([0.626, 0.736], { match: 0.1, partial: 1.42 }), { low: 0.1, high: 1.45 });
});

test("a scale stays within 0 to 2 and is never empty", () => {
  assert.deepEqual(scaleOf([0], { match: 0, partial: 0 }), { low: 0, high: 0.05 });
  assert.deepEqual(scaleOf([2], { match: 2, partial: 2 }), { low: 1.95, high: 2 });
});

test("a scale is constant while a threshold moves inside it", () => {
  const scales = [0.6, 0.61, 0.652, 0.7].map((match) => scaleOf([0.626, 0.736], { match, partial: 0.75 }));

  assert.deepEqual(new Set(scales.map(({ low, high }) => `${low} to ${high}`)), new Set(["0.55 to 0.8"]));
});

test("positions outside of a scale are clamped", () => {
  const places = [0.2, 0.5, 0.625, 0.75, 1, 2].map((distance) => position({ low: 0.5, high: 1 }, distance));

  assert.deepEqual(places, [0, 0, 25, 50, 100, 100]);
});

test("the snippet is a configuration entry with the thresholds", () => {
  assert.deepEqual(JSON.parse(serviceSnippet("handbook", SET)), {
    rag_services: {
      docs: { type: "internal", collections: ["handbook"], match_threshold: 0.25, partial_threshold: 0.5 },
    },
  });
});
