/**
 * The policies a scope has unless its tenant or its owner sets others. Written to be read by a compliance officer.
 * A mode only ever adds rules: whatever `review` holds back, `strict` holds back too.
 */
export const DEFAULT_POLICIES = `// Concord's default policies.
//
// How to read them. A "permit" allows something, a "forbid" stops it, and a forbid always wins.
//   @id          the name that appears in the record of a decision
//   @reason      why, in words; {names} are filled in from the figures of the proposal
//   @outcome     what a forbid leads to: "hold" lets a person decide, "reject" (the default) refuses
//   @obligation  what the decision asks of others
// If several forbids apply and one of them rejects, the proposal is rejected. What no rule permits is rejected.
//
// A case (scope) is in one of three modes:
//   auto     everything is admitted unless a rule forbids it
//   review   material changes wait for a person
//   strict   like review, and anything uncertain is refused

// ---- Documents, in every mode

@id("documents-are-read")
@reason("Documents are admitted unless a rule forbids it.")
permit (principal, action == Action::"document", resource);

@id("announce-serious-contradictions")
@reason("Opens {contradictions.high} high and {contradictions.critical} critical contradictions, which must be made known.")
@obligation("notify-contradiction")
permit (principal, action == Action::"document", resource)
when { context.contradictions.high + context.contradictions.critical > 0 };

@id("announce-large-drift")
@reason("Moves the case far (drift is {drift.level}), which must be made known.")
@obligation("notify-drift")
permit (principal, action == Action::"document", resource)
when { ["high", "critical"].contains(context.drift.level) };

// ---- Documents in the modes review and strict: material changes wait for a person

@id("review-contradictions")
@outcome("hold")
@reason("Contradicts what is known: {contradictions.total} new contradictions wait for a person.")
@obligation("review-by-person")
forbid (principal, action == Action::"document", resource)
when { resource.mode != "auto" && context.contradictions.total > 0 };

@id("review-changed-facts")
@outcome("hold")
@reason("Changes known facts: {claims.changed} changed and {claims.dropped} withdrawn statements wait for a person.")
@obligation("review-by-person")
forbid (principal, action == Action::"document", resource)
when { resource.mode != "auto" && context.claims.changed + context.claims.dropped > 0 };

@id("review-weak-reading")
@outcome("hold")
@reason("Was read with a mean confidence of {claims.mean_confidence} percent; below 60 a person looks at it.")
@obligation("review-by-person")
forbid (principal, action == Action::"document", resource)
when { resource.mode != "auto" && context.claims.mean_confidence < 60 };

@id("review-critical-risks")
@outcome("hold")
@reason("Reports {risks.critical} critical risks, which wait for a person.")
@obligation("review-by-person")
forbid (principal, action == Action::"document", resource)
when { resource.mode != "auto" && context.risks.critical > 0 };

@id("review-large-drift")
@outcome("hold")
@reason("Would move the case far (drift is {drift.level}), which waits for a person.")
@obligation("review-by-person")
forbid (principal, action == Action::"document", resource)
when { resource.mode != "auto" && ["high", "critical"].contains(context.drift.level) };

// ---- Documents in the mode strict: anything uncertain is refused

@id("strict-refuses-contradictions")
@reason("Contradicts what is known ({contradictions.total} contradictions); a strict case refuses that.")
forbid (principal, action == Action::"document", resource)
when { resource.mode == "strict" && context.contradictions.total > 0 };

@id("strict-refuses-weak-claims")
@reason("Holds a statement read with a confidence of only {claims.min_confidence} percent; a strict case asks for 60.")
forbid (principal, action == Action::"document", resource)
when { resource.mode == "strict" && context.claims.min_confidence < 60 };

// ---- Decisions of people

@id("people-resolve-contradictions")
@reason("A person decided.")
permit (principal, action == Action::"resolution", resource)
when { ["person", "tenant", "admin"].contains(principal.kind) };

@id("people-review-what-is-held")
@reason("A person looked at what was held.")
permit (principal, action == Action::"review", resource)
when { ["person", "tenant", "admin"].contains(principal.kind) };

@id("people-change-settings")
@reason("Settings are changed by people.")
permit (principal, action == Action::"settings", resource)
when { ["person", "tenant", "admin"].contains(principal.kind) };

// ---- Finality

@id("numbers-decide-finality")
@reason("The verdict follows from the conditions.")
permit (principal, action == Action::"finality", resource);

@id("never-resolve-over-critical-contradictions")
@reason("{to} is refused while a critical contradiction is open.")
forbid (principal, action == Action::"finality", resource)
when { context.to == "resolved" && resource.open_contradictions.critical > 0 };

@id("review-settling-on-model-findings")
@outcome("hold")
@reason("A model found {found_by_model} contradictions and replacements; the settings ask for a person before the case settles.")
@obligation("review-by-person")
forbid (principal, action == Action::"finality", resource)
when { context.to == "resolved" && context.model_findings == "hold" && context.found_by_model > 0 };

@id("review-settling-after-large-drift")
@outcome("hold")
@reason("The latest step moved the case far (drift is {drift}); settling it now waits for a person.")
@obligation("review-by-person")
forbid (principal, action == Action::"finality", resource)
when { resource.mode != "auto" && context.to == "resolved" && ["high", "critical"].contains(context.drift) };
`
