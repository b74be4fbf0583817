/** What an advisor can be good at, and what no document may claim of any. */
export const vocabulary = [
  { id: "independent_reasoning", description: "An independent view of an uncertain decision." },
  { id: "architecture_review", description: "Structure, boundaries and how they will bear change." },
  { id: "code_review", description: "Whether code does what it should, and reads well." },
  { id: "security_review", description: "What an adversary could do." },
  { id: "test_review", description: "Whether tests would notice what they claim to." },
  { id: "repository_analysis", description: "Reading the workspace itself." },
];

export const forbiddenClaims = [
  "consensus guarantees",
  "consensus proves",
  "majority vote decides",
  "the majority decides",
  "agreement proves correctness",
];
