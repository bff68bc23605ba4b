/** Example arguments of a tool, from its schema. */

const MAX_DEPTH = 5;

/** @typedef {Readonly<Record<string, unknown>>} Schema */

/**
 * Required parameters with a valid-looking value, and optional ones that have a default or an example.
 * @param {Schema} schema of type object
 * @returns {Record<string, unknown>}
 */
export function exampleArguments(schema) {
  return exampleObject(schema, 0);
}

/** @param {Schema} schema @param {number} depth */
function exampleObject(schema, depth) {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const entries = Object.entries(objectOf(schema["properties"])).map(([name, each]) => ({
    name,
    schema: objectOf(each),
  }));
  return Object.fromEntries(
    entries
      .filter(({ name, schema: each }) => required.has(name) || givenValue(each) !== undefined)
      .map(({ name, schema: each }) => [name, exampleValue(each, depth + 1)]),
  );
}

/** @param {Schema} schema @param {number} depth @returns {unknown} */
function exampleValue(schema, depth) {
  const given = givenValue(schema);
  if (given !== undefined) return given;
  const listed = firstOf(schema["enum"]);
  if (listed !== undefined) return listed;
  if ("const" in schema) return schema["const"];
  const types = schema["type"];
  switch (Array.isArray(types) ? types[0] : types) {
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
    case "boolean":
      return true;
    case "array":
      return depth < MAX_DEPTH ? [exampleValue(objectOf(schema["items"]), depth + 1)] : [];
    case "object":
      return depth < MAX_DEPTH ? exampleObject(schema, depth) : {};
    case "null":
      return null;
    default:
      return "text";
  }
}

/** @param {Schema} schema */
function givenValue(schema) {
  return firstOf(schema["examples"]) ?? schema["example"] ?? schema["default"];
}

/** @param {unknown} list @returns {unknown} */
function firstOf(list) {
  return Array.isArray(list) ? list[0] : undefined;
}

/** @param {unknown} value @returns {Schema} */
function objectOf(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? /** @type {Schema} */ (value) : {};
}
