/** The kind of event that names one record. */
export const reasoningRecorded = "reasoning.recorded";
