import type { ReasoningSettings } from "./settings.ts";

/** The profiles that ship with Writ; a workspace may add or override them. */
export const shippedProfiles: Readonly<Record<string, string>> = {
  "deep-work": "strict",
  implementation: "standard",
  debugging: "standard",
  routine: "fast",
};

/** The form of a task's id and of a profile's name. */
export const taskName = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** What holds where workspace.yml says nothing. */
export const defaultSettings: ReasoningSettings = {
  reuse_days: 90,
  limits: {},
  withhold: [],
  answer_reviews: false,
};
