import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bothOf,
  classOf,
  distanceOf,
  moveTo,
  originOf,
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

test("a distance is of the class of the first threshold that it is below", () => {
  const classes = [0, 0.249, 0.25, 0.499, 0.5, 2].map((distance) => classOf(distance, SET));

  assert.deepEqual(classes, ["match", "match", "partial", "partial", "none", "none"]);
});

test("no passage at all is no match, and equal thresholds leave nothing to be partial", () => {
  assert.equal(classOf(undefined, SET), "none");
  assert.deepEqual(
    [0.39, 0.4].map((distance) => classOf(distance, { match: 0.4, partial: 0.4 })),
    ["match", "none"],
  );
});

test("only distances are taken for distances", () => {
  const read = ["0", "0.648", " 1 ", "2", "2.001", "-0.1", "", "  ", "near", "Infinity", undefined].map(distanceOf);
  const nothing = Array.from({ length: 7 }, () => undefined);

  assert.deepEqual(read, [0, 0.648, 1, 2, ...nothing]);
});

test("thresholds are known when both are, and the match is never the larger one", () => {
  assert.deepEqual(
    [bothOf(0.25, 0.5), bothOf(0.6, 0.5), bothOf(0, 0), bothOf(0.25, undefined), bothOf(undefined, 0.5)],
    [SET, { match: 0.6, partial: 0.6 }, { match: 0, partial: 0 }, undefined, undefined],
  );
});

test("a threshold that is moved past the other one takes it along", () => {
  assert.deepEqual(moveTo(SET, "match", 0.3), { match: 0.3, partial: 0.5 });
  assert.deepEqual(moveTo(SET, "match", 0.7), { match: 0.7, partial: 0.7 });
  assert.deepEqual(moveTo(SET, "partial", 0.3), { match: 0.25, partial: 0.3 });
  assert.deepEqual(moveTo(SET, "partial", 0.1), { match: 0.1, partial: 0.1 });
});

test("a collection's own thresholds come before those that its answer was judged by", () => {
  const own = { match_threshold: 0.1, partial_threshold: 0.2 };

  assert.deepEqual(thresholdsOf(own, SET), { match: 0.1, partial: 0.2 });
  assert.deepEqual(thresholdsOf({ match_threshold: 0, partial_threshold: null }, SET), { match: 0, partial: 0.5 });
  assert.deepEqual(thresholdsOf({}, SET), SET);
  assert.equal(thresholdsOf({ match_threshold: 0.1, partial_threshold: null }, undefined), undefined);
});

test("how thresholds came about is told in words", () => {
  const having = (/** @type {number | null} */ match, /** @type {number | null} */ partial) =>
    originOf({ ...COLLECTION, metadata: { ...METADATA, match_threshold: match, partial_threshold: partial } });

  assert.deepEqual(
    [having(0.1, 0.2), having(0, 0), having(0.1, null), having(null, 0.2), having(null, null)],
    [
      "set by an operator",
      "set by an operator",
      "one set by an operator, the other its service's",
      "one set by an operator, the other its service's",
      "its service's, it has none of its own",
    ],
  );
  assert.equal(originOf({ ...COLLECTION, calibrated_passages: 0 }), "told from its passages");
});

test("a scale is the part of all distances that holds what was found, on a grid", () => {
  assert.deepEqual(scaleOf([0.626, 0.736], { match: 0.6, partial: 0.65 }), { low: 0.55, high: 0.8 });
});

test("a scale reaches to thresholds that are far from what was found", () => {
  assert.deepEqual(scaleOf([0.626, 0.736], { match: 0.1, partial: 1.42 }), { low: 0.1, high: 1.45 });
});

test("a scale never leaves the distances there are and always has a length", () => {
  assert.deepEqual(scaleOf([0], { match: 0, partial: 0 }), { low: 0, high: 0.05 });
  assert.deepEqual(scaleOf([2], { match: 2, partial: 2 }), { low: 1.95, high: 2 });
});

test("a scale rests while a threshold is moved inside it", () => {
  const scales = [0.6, 0.61, 0.652, 0.7].map((match) => scaleOf([0.626, 0.736], { match, partial: 0.75 }));

  assert.deepEqual(new Set(scales.map(({ low, high }) => `${low} to ${high}`)), new Set(["0.55 to 0.8"]));
});

test("what lies outside of a scale is drawn at its end", () => {
  const places = [0.2, 0.5, 0.625, 0.75, 1, 2].map((distance) => position({ low: 0.5, high: 1 }, distance));

  assert.deepEqual(places, [0, 0, 25, 50, 100, 100]);
});

test("the snippet is an entry of the configuration with these thresholds", () => {
  assert.deepEqual(JSON.parse(serviceSnippet("handbook", SET)), {
    rag_services: {
      docs: { type: "internal", collections: ["handbook"], match_threshold: 0.25, partial_threshold: 0.5 },
    },
  });
});
