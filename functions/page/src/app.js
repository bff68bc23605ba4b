/** Entry point. The bundle has all modules of the first load in it, and modules on demand import them from it. */
import "./main.js";
