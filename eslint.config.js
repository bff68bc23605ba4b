// What is checked in the page's scripts and stylesheets; types are tsc's (jsconfig.json), layout is Prettier's.
import css from "@eslint/css";
import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";

const PAGE = "functions/page/src/**";

/** The page shows texts of strangers: nothing may make markup, script or style of a string. */
const FORBIDDEN_SYNTAX = [
  { selector: "ExportDefaultDeclaration", message: "Export by name." },
  { selector: "ClassDeclaration:not([superClass.name='Error'])", message: "Functions and plain objects, no classes." },
  {
    selector: "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc|cssText)$/]",
    message: "Text goes in as text nodes, by Preact.",
  },
  {
    selector: "TemplateElement[value.raw=/dangerouslySetInnerHTML|srcdoc/]",
    message: "Text goes in as text nodes, by Preact.",
  },
  {
    selector: "TemplateElement[value.raw=/\\sstyle=[\"']/]",
    message: "The page's policy forbids style in markup: a class, or a style object.",
  },
];

export default defineConfig([
  globalIgnores(["functions/page/src/vendor/"]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: [`${PAGE}/*.js`],
    plugins: { js, "react-hooks": hooks },
    extends: ["js/recommended"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "array-callback-return": "error",
      complexity: ["error", 15],
      curly: ["error", "multi-line", "consistent"],
      eqeqeq: "error",
      "max-lines": ["error", { max: 250, skipComments: true }],
      "no-alert": "error",
      "no-console": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-nested-ternary": "error",
      "no-new-func": "error",
      "no-param-reassign": "error",
      "no-restricted-syntax": ["error", ...FORBIDDEN_SYNTAX],
      "no-script-url": "error",
      "no-shadow": "error",
      "no-use-before-define": ["error", { functions: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "require-await": "error",
    },
  },
  {
    files: [`${PAGE}/*.css`],
    plugins: { css },
    language: "css/css",
    extends: ["css/recommended"],
    rules: {
      // A variable holds the whole family, and reduced motion has the last word.
      "css/font-family-fallbacks": "off",
      "css/no-important": "off",
      "css/use-baseline": ["error", { available: "newly", allowProperties: ["accent-color", "resize"] }],
    },
  },
]);
