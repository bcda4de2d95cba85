/**
 * The Cedar schema policies are validated against: who acts, on what scope, and what each kind of proposal brings.
 * Confidences, drift and scores are whole percentages, because Cedar compares whole numbers.
 */
export const POLICY_SCHEMA = `
type Severities = { low: Long, medium: Long, high: Long, critical: Long, total: Long };

// How many contradictions a model found, and how many the rules found or people reported.
type FoundBy = { model: Long, others: Long };

// Percentages; "level" is none, low, medium, high or critical.
type Drift = { level: String, factual: Long, contradiction: Long, goal: Long, entropy: Long };

// "source" and "issuer" are "" where they are not known.
type Document = { id: String, revision: Long, type: String, source: String, issuer: String, extractor: String };

// Confidences are percentages, 100 where a document makes no claims.
type Claims = {
  total: Long, new: Long, repeated: Long, changed: Long, contradicting: Long, unsure: Long, dropped: Long,
  min_confidence: Long, mean_confidence: Long
};

// Percentages.
type Scores = { claim_confidence: Long, contradiction_resolution: Long, goal_completion: Long, risk_inverse: Long };

entity Tenant;

// "kind" is system, person, tenant or admin; "name" is who it is. "bound" when the key that acted is this person's and
// speaks for nobody else: count only those where a rule asks for two people.
entity Actor = { kind: String, name: String, bound: Bool };

// As it stood before the proposal. "mode" is auto, review or strict.
entity Scope in [Tenant] = {
  name: String, mode: String, finality: String,
  documents: Long, claims: Long, slots: Long,
  contradictions: Long, open_contradictions: Severities, found_by: FoundBy,
  goals: Long, goals_done: Long, risks: Severities
};

action document appliesTo {
  principal: Actor, resource: Scope,
  context: {
    document: Document, claims: Claims, contradictions: Severities, found_by: FoundBy, closes: Long, goals: Long, risks: Severities, drift: Drift
  }
};

// "verdict" is a, b, both, neither, dismiss, disputed, clerical_error or not_the_same, or reopen, which takes one of them back;
// promote or dismiss of a possible conflict, object to a supersession, or withdraw, which takes one of these three back. "contradiction" is the id of what
// is decided on.
action resolution appliesTo {
  principal: Actor, resource: Scope,
  context: { contradiction: String, verdict: String, severity: String, retires: Long }
};

// "held" is document, resolution, finality or settings; "verdict" is approve or reject. "proposed_by" is the person whose
// act is held, "" where it is no person's.
action review appliesTo {
  principal: Actor, resource: Scope,
  context: { held: String, verdict: String, proposed_by: String, proposed_by_bound: Bool }
};

// "from" and "to" are active, review, resolved, escalated or blocked; "drift" is the level of the latest round.
// "found_by_model" counts the contradictions a model found, open or closed, and its replacements that acted; "model_findings" is the scope's setting, report
// or hold.
action finality appliesTo {
  principal: Actor, resource: Scope,
  context: { from: String, to: String, drift: String, found_by_model: Long, model_findings: String, failing: Set<String>, scores: Scores }
};

action settings appliesTo {
  principal: Actor, resource: Scope,
  context: { mode_from: String, mode_to: String, settings_changed: Bool, policies_changed: Bool, glossary_changed: Bool }
};
`
