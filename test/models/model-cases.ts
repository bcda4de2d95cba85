/** A document, what the deterministic extractor would say of it, and claims a model could answer with. */
import type { DocumentInput, Extraction } from '../../src/analysis/types.js'
import type { ModelExtractorOptions } from '../../src/models/model-extractor.js'

export const secret = 'sk-test-do-not-show-0123456789'

export const document: DocumentInput = {
  documentId: 'doc-1',
  revision: 1,
  name: 'harbour-report.txt',
  type: 'txt',
  source: null,
  text: '🚢 Harbour report\n\nQuay North handled 41,250 containers in 2023.\nCrane hire cost EUR 3.2 million\nand the permit is valid.',
}

export const deterministic: Extraction = {
  extractor: 'rules',
  version: '7',
  profile: {
    title: 'Harbour report',
    kind: 'report',
    issuer: null,
    issuedOn: null,
    period: null,
    version: null,
    reference: null,
    supersedes: [],
    principalSubject: 'Quay North',
    definitions: {},
    entities: [{ key: 'site:quay-north', name: 'Quay North', kind: 'site', aliases: ['North Quay'] }],
  },
  claims: [],
  goals: [{ start: 0, end: 1, quote: '🚢', what: 'sail', owner: null, due: null, done: false }],
  risks: [],
}

export const containers = {
  quote: 'Quay North handled 41,250 containers in 2023',
  subject: 'North Quay',
  subject_certain: true,
  attribute: 'Containers handled',
  role: 'actual',
  basis: [],
  part: null,
  unit: 'containers',
  period: { label: '2023', from: '2023-01-01', to: '2024-01-01', grain: 'year' },
  polarity: 'affirmed',
  modality: 'fact',
  value: { type: 'quantity', unit: 'containers', low: 41250, high: 41250, precision: 10, approximate: false },
  value_text: '41,250 containers',
  confidence: 0.9,
  disputes: false,
  corrects: false,
  echoes: false,
  supersedes: false,
}

/** The quote runs over a line break that the model gives as a blank. */
export const hire = {
  ...containers,
  quote: 'Crane hire cost EUR 3.2 million and',
  subject: 'Harbour',
  attribute: 'Crane hire cost',
  unit: null,
  period: null,
  value: { type: 'money', currency: 'EUR', low: 3_200_000, high: 3_200_000, precision: 100_000, approximate: false },
  value_text: 'EUR 3.2 million',
}

export function optionsFor(url: string, changes: Partial<ModelExtractorOptions> = {}): ModelExtractorOptions {
  return {
    url,
    name: 'reader-1',
    apiKey: secret,
    timeoutMs: 10_000,
    retries: 2,
    concurrency: 2,
    maxOutputTokens: 1000,
    retryBaseMs: 1,
    random: () => 0,
    ...changes,
  }
}
