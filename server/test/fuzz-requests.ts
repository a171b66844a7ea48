import type { Endpoint } from '@tatami/contract/lib/endpoint'
import fc from 'fast-check'
import { z } from 'zod'
import { unwrapSchema } from '../http/example-body.ts'
import { queryParameters, type RequestParts, validRequestParts } from './valid-requests.ts'
import { fuzzHeader, fuzzPayload, fuzzQuery, fuzzJson, JSON_TYPE } from './fuzz-encodings.ts'
import { corruptCharacter, fuzzSegment, fuzzValue } from './fuzz-values.ts'
import type { Ids } from './sample-ids.ts'

export type Request = {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

type Form = RequestParts['body']
type Draft = {
  segments: Form
  query: string
  body: unknown
  spell: (text: string) => string
  headers: Record<string, string>
  raw?: string | Buffer
}
type Change = (draft: Draft) => Draft

function fieldsOf(schema: z.ZodType | undefined): string[] {
  const shape = schema && unwrapSchema(schema)
  if (shape instanceof z.ZodUnion)
    return [...new Set(shape.options.flatMap((option) => fieldsOf(option as z.ZodType)))]
  return shape instanceof z.ZodObject ? Object.keys(shape.shape) : []
}

const draftOf = ({ params, query, body }: RequestParts): Draft => ({
  segments: params,
  query: new URLSearchParams(queryParameters(query)).toString(),
  body,
  spell: (text) => text,
  headers: {},
})

function buildRequest(
  { method, path, body: takesBody }: Endpoint,
  { segments, query, body, spell, headers, raw }: Draft,
): Request {
  const url = `/api${path.replaceAll(/:(\w+)/g, (_, name: string) => String(segments[name]))}${query && `?${query}`}`
  if (!takesBody) return { method, url, headers }
  return {
    method,
    url,
    headers: { 'content-type': JSON_TYPE, ...headers },
    payload: raw ?? spell(JSON.stringify(body)),
  }
}

const SERVER_OWNED_FIELDS = ['id', 'dojo_id', 'role', 'is_active', 'password_hash', '__proto__']

/** Changes a form: odd or corrupted fields, missing ones, extra ones. */
function fieldMutation(fields: string[], knownIds: string[]): fc.Arbitrary<(form: Form) => Form> {
  const field = fc.constantFrom(...fields),
    value = fuzzValue(knownIds)
  const extraFields = fc.dictionary(
    fc.oneof(fc.constantFrom(...SERVER_OWNED_FIELDS), fc.string({ maxLength: 10 })),
    value,
    {
      minKeys: 1,
      maxKeys: 3,
    },
  )
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(field, corruptCharacter).map(([name, blot]) => (form: Form) => ({
        ...form,
        [name]: blot(form[name]),
      })),
    },
    {
      weight: 8,
      arbitrary: fc.tuple(field, value).map(([name, odd]) => (form: Form) => ({
        ...form,
        [name]: odd,
      })),
    },
    {
      weight: 1,
      arbitrary: field.map(
        (name) =>
          ({ [name]: _, ...form }: Form) =>
            form,
      ),
    },
    { weight: 1, arbitrary: extraFields.map((extras) => (form: Form) => ({ ...extras, ...form })) },
  )
}

/** One fault in any part of a call. */
function requestMutation(endpoint: Endpoint, knownIds: string[]): fc.Arbitrary<Change> {
  const params = fieldsOf(endpoint.params),
    fields = fieldsOf(endpoint.body),
    queryFields = fieldsOf(endpoint.query)
  const changes: fc.WeightedArbitrary<Change>[] = []
  const may = (weight: number, arbitrary: fc.Arbitrary<Change>) =>
    changes.push({ weight, arbitrary })
  may(
    2,
    fuzzHeader.map((headers) => (draft) => ({ ...draft, headers })),
  )
  if (params.length > 0) {
    may(
      4,
      fc
        .tuple(fc.constantFrom(...params), fuzzSegment(knownIds))
        .map(([name, segment]) => (draft) => ({
          ...draft,
          segments: { ...draft.segments, [name]: segment },
        })),
    )
  }
  if (queryFields.length > 0)
    may(
      4,
      fuzzQuery(queryFields, knownIds).map((query) => (draft) => ({ ...draft, query })),
    )
  if (fields.length > 0) {
    may(
      10,
      fieldMutation(fields, knownIds).map((change) => (draft) => ({
        ...draft,
        body: change(draft.body as Form),
      })),
    )
    may(
      2,
      fuzzJson.map((spell) => (draft) => ({ ...draft, spell })),
    )
    may(
      1,
      fuzzPayload.map(({ payload, type }) => (draft) => ({
        ...draft,
        raw: payload,
        headers: { 'content-type': type },
      })),
    )
  }
  return fc.oneof(...changes)
}

const recordOf = <T>(names: string[], arbitrary: fc.Arbitrary<T>) =>
  Object.fromEntries(names.map((name) => [name, arbitrary]))

/** Entirely random. */
const randomDraft = ({ params, query, body }: Endpoint, knownIds: string[]): fc.Arbitrary<Draft> =>
  fc.record({
    segments: fc.record(recordOf(fieldsOf(params), fuzzSegment(knownIds))),
    query: fc.oneof(fc.constant(''), fuzzQuery(fieldsOf(query), knownIds)),
    body: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record(recordOf(fieldsOf(body), fuzzValue(knownIds)), { requiredKeys: [] }),
      },
      { weight: 1, arbitrary: fuzzValue(knownIds) },
    ),
    spell: fuzzJson,
    headers: fc.oneof(fc.constant({}), fuzzHeader),
  })

/** One in ten is valid, half of the others have one fault, half are random. `knownIds` exist. */
export function fuzzRequest(
  endpoint: Endpoint,
  ownIds: Ids,
  knownIds: string[],
): fc.Arbitrary<Request> {
  const good = validRequestParts(endpoint, ownIds).map(draftOf)
  return fc
    .oneof(
      { weight: 2, arbitrary: good },
      {
        weight: 9,
        arbitrary: fc
          .tuple(good, requestMutation(endpoint, knownIds))
          .map(([draft, change]) => change(draft)),
      },
      { weight: 9, arbitrary: randomDraft(endpoint, knownIds) },
    )
    .map((draft) => buildRequest(endpoint, draft))
}

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PROPFIND',
  'QUERY',
] as const
const PATHS = [
  '',
  '/',
  '//',
  '/..',
  '/%',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/%00',
  '/classes/',
  '/CLASSES',
  '/classes;x',
  '/classes/%ff',
  '/students/__proto__',
  `/${'a'.repeat(20_000)}`,
  '/a'.repeat(5000),
]

export function fuzzPath(paths: string[]): fc.Arbitrary<Request> {
  const text = fc.oneof(
    fc.webPath(),
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...PATHS),
    fc.constantFrom(...paths),
  )
  const url = text.map((path) => `/api${encodeURI(path.toWellFormed()).replaceAll('#', '')}`)
  return fc.record({
    method: fc.constantFrom(...METHODS),
    url,
    headers: fc.oneof(fc.constant({}), fuzzHeader),
  })
}
