// Lint rules of the page: scripts and stylesheets. Types are checked by tsc (jsconfig.json), format by Prettier.
import css from "@eslint/css";
import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";

const PAGE = "functions/page/src/**";

/** The page shows untrusted text: strings must not become markup, script or style. */
const FORBIDDEN_SYNTAX = [
  { selector: "ExportDefaultDeclaration", message: "Export by name." },
  { selector: "ClassDeclaration:not([superClass.name='Error'])", message: "Functions and plain objects, no classes." },
  {
    selector: "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc|cssText)$/]",
    message: "Render text as Preact text nodes.",
  },
  {
    selector: "TemplateElement[value.raw=/dangerouslySetInnerHTML|srcdoc/]",
    message: "Render text as Preact text nodes.",
  },
  {
    selector: "TemplateElement[value.raw=/\\sstyle=[\"']/]",
    message: "The Content Security Policy forbids style attributes in markup: use a class or a style object.",
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
      // Font families are in a variable; reduced motion needs !important.
      "css/font-family-fallbacks": "off",
      "css/no-important": "off",
      // Variables are defined in base.css; tests/unit/page checks that all of them exist.
      "css/no-invalid-properties": ["error", { allowUnknownVariables: true }],
      "css/use-baseline": ["error", { available: "newly", allowProperties: ["accent-color", "resize"] }],
    },
  },
]);
