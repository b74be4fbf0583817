import type { ReasoningSettings } from "./settings.ts";

/** The profiles that ship with Writ; a workspace may add or override them. */
export const shippedProfiles: Readonly<Record<string, string>> = {
  "deep-work": "strict",
  implementation: "standard",
  debugging: "standard",
  routine: "fast",
};

/** What holds where workspace.yml says nothing. */
export const defaultSettings: ReasoningSettings = {
  reuse_days: 90,
  limits: {},
  withhold: [],
  answer_reviews: false,
};
