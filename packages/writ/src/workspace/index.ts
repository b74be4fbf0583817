import type { Part } from "../contract/index.ts";

/** From workspace.yml and real git repositories to a composed workspace. */
export const part: Part = {
  name: "workspace",
};
