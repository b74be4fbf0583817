import { ambientRule } from "./ambient.ts";
import { layersRule } from "./layers.ts";

/** Our own rules, for what no stock rule sees: `writ/layers` and `writ/ambient`. */
const plugin = { meta: { name: "writ" }, rules: { layers: layersRule, ambient: ambientRule } };

// The linter loads a plugin by its default export.
export default plugin;
