import { nearest } from "../../contract/index.ts";
import type { Evidence } from "../model/record.ts";
import { floorOf, isMaterial, weight } from "../model/words.ts";
import { answersOf, priorOn, resolutionOf } from "../records/relations.ts";
import { refuseBlank } from "./blank.ts";
import { type BodyOfKind, notA, refusal, type Rule } from "./rule.ts";

/** What shows something, as opposed to what somebody thinks. */
export function hasEvidence(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ kind }) => kind !== "prior_external_opinion");
}

const keyOf = ({ kind, reference, sha256, commit }: Evidence): string =>
  JSON.stringify([kind, reference, sha256 ?? commit ?? null]);

export const assessmentRules: Rule<BodyOfKind<"assessment">>[] = [
  { name: "A1", refuse: refuseBlank },
  {
    name: "A2",
    refuse({ capabilities }, { vocabulary }) {
      const unknown = vocabulary && capabilities.find((word) => !vocabulary.includes(word));
      return unknown === undefined ? undefined : unknownCapability(unknown, vocabulary ?? []);
    },
  },
  {
    name: "A3",
    refuse({ affects, materiality }) {
      const least = floorOf(affects);
      if (!least || weight(materiality) >= weight(least.floor)) return undefined;
      return refusal("E_MATERIALITY_FLOOR", {
        message: `A decision that touches ${least.word} is at least ${least.floor}.`,
        cause: `It was given as ${materiality}.`,
        remediation: `Record it with materiality: ${least.floor}, by writ reasoning record --file FILE`,
        details: { field: "/materiality", word: least.word, floor: least.floor },
      });
    },
  },
  {
    name: "A4",
    refuse: ({ materiality, evidence }) =>
      isMaterial(materiality) && !hasEvidence(evidence) ? noEvidence(materiality) : undefined,
  },
  {
    name: "A5",
    refuse(body, { records }) {
      const prior = body.new_evidence ? priorOn(records, { subject: body.subject }) : undefined;
      if (!prior) return undefined;
      const before = records.findOf(prior.body.assessment, "assessment");
      const known = new Set([...(before?.body.evidence ?? []), ...prior.body.evidence].map(keyOf));
      if (body.evidence.some((item) => !known.has(keyOf(item)))) return undefined;
      return refusal("E_NO_NEW_EVIDENCE", {
        message: "It says there is new evidence, and brings none.",
        cause: `Every item stands already in ${prior.id} or its assessment.`,
        remediation: `Add what is new, or leave new_evidence out. See: writ reasoning explain ${prior.id}`,
        details: { field: "/evidence", prior: prior.id },
      });
    },
  },
];

/** The refusal of a word that no vocabulary has, in a preview and in an assessment. */
export function unknownCapability(word: string, vocabulary: readonly string[]) {
  const near = nearest(word, vocabulary);
  return refusal("E_UNKNOWN_CAPABILITY", {
    message: `No review capability is named "${word.slice(0, 80)}".`,
    cause: `Known are ${vocabulary.join(", ")}.`,
    remediation: near ? `Did you mean ${near}?` : "See what there is: writ reasoning advisors",
    details: {
      field: "/capabilities",
      unknown: word.slice(0, 80),
      known: [...vocabulary],
      ...(near && { nearest: near }),
    },
  });
}

export function noEvidence(materiality: string) {
  return refusal("E_EVIDENCE_REQUIRED", {
    message: `What is ${materiality} rests on evidence.`,
    cause: "No item of evidence was given that is more than an opinion.",
    remediation:
      "Add evidence: [{kind: file, reference: PATH}] and record again: writ reasoning record --file FILE",
    details: { field: "/evidence" },
  });
}

/** A record that belongs to an assessment names one. */
export function assessmentRule(
  name: string,
): Rule<{ assessment: string } & BodyOfKind<"plan" | "local_review" | "disagreement" | "conclusion">> {
  return {
    name,
    refuse: ({ assessment }, { records }) =>
      notA(records, assessment, { kind: "assessment", field: "/assessment" }),
  };
}

export const localReviewRules: Rule<BodyOfKind<"local_review">>[] = [
  assessmentRule("L1") as unknown as Rule<BodyOfKind<"local_review">>,
  { name: "L2", refuse: refuseBlank },
];

export const disagreementRules: Rule<BodyOfKind<"disagreement">>[] = [
  assessmentRule("D1") as unknown as Rule<BodyOfKind<"disagreement">>,
  { name: "D2", refuse: refuseBlank },
  {
    name: "D3",
    refuse: ({ positions }) =>
      positions.length < 2 ? shape("It has fewer than two positions.", "/positions") : undefined,
  },
  {
    name: "D4",
    refuse({ positions }) {
      const sources = positions.map(({ source }) => source);
      const twice = sources.find((source, i) => sources.indexOf(source) !== i);
      return twice === undefined ? undefined : shape(`Two positions come from ${twice}.`, "/positions");
    },
  },
  {
    name: "D5",
    refuse({ positions, assessment }, { records }) {
      const answers = new Set(answersOf(records, assessment).map(({ id }) => id));
      const other = positions.find(({ source }) => source !== "primary" && !answers.has(source));
      if (!other) return undefined;
      return shape(`${other.source} is neither primary nor an answer of this assessment.`, "/positions");
    },
  },
];

function shape(cause: string, field: string) {
  return refusal("E_DISAGREEMENT_SHAPE", {
    message: "A disagreement has at least two positions, each of its own source.",
    cause,
    remediation: "Name primary and the ids of answers: writ reasoning status",
    details: { field },
  });
}

export const resolutionRules: Rule<BodyOfKind<"resolution">>[] = [
  {
    name: "S1",
    refuse: ({ disagreement }, { records }) =>
      notA(records, disagreement, { kind: "disagreement", field: "/disagreement" }),
  },
  { name: "S2", refuse: refuseBlank },
  {
    name: "S3",
    refuse({ evidence }, { records }) {
      const shows = evidence.some(({ kind, reference }) => {
        if (kind === "prior_external_opinion") return false;
        const cited = kind === "record" ? records.find(reference.replace(/^record:/, "")) : undefined;
        return cited?.body.kind !== "consultation";
      });
      if (shows) return undefined;
      return refusal("E_OPINION_NOT_EVIDENCE", {
        message: "A disagreement is settled by evidence, never by a count.",
        cause: evidence.length === 0 ? "No evidence was given." : "What was given are opinions only.",
        remediation:
          "Run what tells the positions apart, cite it as evidence, and record again: writ reasoning record --file FILE",
        details: { field: "/evidence" },
      });
    },
  },
  {
    name: "S4",
    refuse({ disagreement, favours }, { records }) {
      const settled = records.findOf(disagreement, "disagreement");
      if (!settled || favours === "neither") return undefined;
      const sources = settled.body.positions.map(({ source }) => source);
      return sources.includes(favours) ? undefined : shape(`${favours} holds no position in it.`, "/favours");
    },
  },
  {
    name: "S5",
    refuse({ disagreement }, { records }) {
      const settled = records.findOf(disagreement, "disagreement");
      const before = settled && resolutionOf(records, settled.body.assessment, disagreement);
      if (!before) return undefined;
      return refusal("E_ALREADY_RESOLVED", {
        message: "The disagreement is settled already.",
        cause: `${before.id} settled it.`,
        remediation: `If that was wrong, record a new disagreement. See: writ reasoning explain ${before.id}`,
        details: { disagreement, resolution: before.id },
      });
    },
  },
];
