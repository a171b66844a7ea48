/** Generates random requests for an endpoint: valid ones, ones with one fault, and nonsense. */
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import fc from 'fast-check'
import { z } from 'zod'
import { unwrapSchema } from '../http/example-body.ts'
import { queryParameters, type RequestParts, validRequestParts } from './valid-requests.ts'
import {
  fuzzHeader,
  fuzzPayload,
  fuzzQuery,
  fuzzJson,
  JSON_CONTENT_TYPE,
} from './fuzz-encodings.ts'
import { corruptCharacter, fuzzSegment, fuzzValue } from './fuzz-values.ts'
import type { Ids } from './sample-ids.ts'

export type Request = {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

type Form = RequestParts['body']
type RequestDraft = {
  /** The parameters in the path. */
  segments: Form
  query: string
  body: unknown
  /** Changes the JSON of the body. */
  rewriteJson: (json: string) => string
  headers: Record<string, string>
  /** If it is set, it replaces the body. */
  payload?: string | Buffer
}
type Mutation = (draft: RequestDraft) => RequestDraft

function listFields(schema: z.ZodType | undefined): string[] {
  const innerSchema = schema && unwrapSchema(schema)
  if (innerSchema instanceof z.ZodUnion)
    return [...new Set(innerSchema.options.flatMap((option) => listFields(option as z.ZodType)))]
  return innerSchema instanceof z.ZodObject ? Object.keys(innerSchema.shape) : []
}

const toDraft = ({ params, query, body }: RequestParts): RequestDraft => ({
  segments: params,
  query: new URLSearchParams(queryParameters(query)).toString(),
  body,
  rewriteJson: (json) => json,
  headers: {},
})

function buildRequest(
  { method, path, body: bodySchema }: Endpoint,
  { segments, query, body, rewriteJson, headers, payload }: RequestDraft,
): Request {
  const filledPath = path.replaceAll(/:(\w+)/g, (_, name: string) => String(segments[name]))
  const url = `/api${filledPath}${query && `?${query}`}`
  if (!bodySchema) return { method, url, headers }
  return {
    method,
    url,
    headers: { 'content-type': JSON_CONTENT_TYPE, ...headers },
    payload: payload ?? rewriteJson(JSON.stringify(body)),
  }
}

const SERVER_OWNED_FIELDS = ['id', 'dojo_id', 'role', 'is_active', 'password_hash', '__proto__']

/** Generates a change that replaces or corrupts a field's value, leaves out a field or adds
 *  fields. */
function fieldMutation(fields: string[], knownIds: string[]): fc.Arbitrary<(form: Form) => Form> {
  const field = fc.constantFrom(...fields)
  const value = fuzzValue(knownIds)
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
      arbitrary: fc.tuple(field, corruptCharacter).map(([name, corrupt]) => (form: Form) => ({
        ...form,
        [name]: corrupt(form[name]),
      })),
    },
    {
      weight: 8,
      arbitrary: fc.tuple(field, value).map(([name, strangeValue]) => (form: Form) => ({
        ...form,
        [name]: strangeValue,
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

/** Generates a change that adds one fault to any part of a request. */
function requestMutation(endpoint: Endpoint, knownIds: string[]): fc.Arbitrary<Mutation> {
  const params = listFields(endpoint.params)
  const bodyFields = listFields(endpoint.body)
  const queryFields = listFields(endpoint.query)
  const mutations: fc.WeightedArbitrary<Mutation>[] = []
  const addMutation = (weight: number, arbitrary: fc.Arbitrary<Mutation>) =>
    mutations.push({ weight, arbitrary })
  addMutation(
    2,
    fuzzHeader.map((headers) => (draft) => ({ ...draft, headers })),
  )
  if (params.length > 0) {
    addMutation(
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
    addMutation(
      4,
      fuzzQuery(queryFields, knownIds).map((query) => (draft) => ({ ...draft, query })),
    )
  if (bodyFields.length > 0) {
    addMutation(
      10,
      fieldMutation(bodyFields, knownIds).map((mutate) => (draft) => ({
        ...draft,
        body: mutate(draft.body as Form),
      })),
    )
    addMutation(
      2,
      fuzzJson.map((rewriteJson) => (draft) => ({ ...draft, rewriteJson })),
    )
    addMutation(
      1,
      fuzzPayload.map(({ payload, type }) => (draft) => ({
        ...draft,
        payload,
        headers: { 'content-type': type },
      })),
    )
  }
  return fc.oneof(...mutations)
}

const withSameArbitrary = <Value>(names: string[], arbitrary: fc.Arbitrary<Value>) =>
  Object.fromEntries(names.map((name) => [name, arbitrary]))

/** Generates requests in which every part is random. */
const randomDraft = (
  { params, query, body }: Endpoint,
  knownIds: string[],
): fc.Arbitrary<RequestDraft> =>
  fc.record({
    segments: fc.record(withSameArbitrary(listFields(params), fuzzSegment(knownIds))),
    query: fc.oneof(fc.constant(''), fuzzQuery(listFields(query), knownIds)),
    body: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record(withSameArbitrary(listFields(body), fuzzValue(knownIds)), {
          requiredKeys: [],
        }),
      },
      { weight: 1, arbitrary: fuzzValue(knownIds) },
    ),
    rewriteJson: fuzzJson,
    headers: fc.oneof(fc.constant({}), fuzzHeader),
  })

/** One request in ten is valid. Half of the others have one fault, and half are random.
 *  `knownIds` has ids and emails that exist. */
export function fuzzRequest(
  endpoint: Endpoint,
  ownIds: Ids,
  knownIds: string[],
): fc.Arbitrary<Request> {
  const validDraft = validRequestParts(endpoint, ownIds).map(toDraft)
  return fc
    .oneof(
      { weight: 2, arbitrary: validDraft },
      {
        weight: 9,
        arbitrary: fc
          .tuple(validDraft, requestMutation(endpoint, knownIds))
          .map(([draft, mutate]) => mutate(draft)),
      },
      { weight: 9, arbitrary: randomDraft(endpoint, knownIds) },
    )
    .map((draft) => buildRequest(endpoint, draft))
}

const HTTP_METHODS = [
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
const STRANGE_PATHS = [
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

/** Generates requests to paths that may not exist, with any method. */
export function fuzzPath(paths: string[]): fc.Arbitrary<Request> {
  const text = fc.oneof(
    fc.webPath(),
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...STRANGE_PATHS),
    fc.constantFrom(...paths),
  )
  const url = text.map((path) => `/api${encodeURI(path.toWellFormed()).replaceAll('#', '')}`)
  return fc.record({
    method: fc.constantFrom(...HTTP_METHODS),
    url,
    headers: fc.oneof(fc.constant({}), fuzzHeader),
  })
}
