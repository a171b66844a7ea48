import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Form, parseForm } from './form-body.ts'

type Schema = {
  $ref?: string
  type?: string
  enum?: unknown[]
  nullable?: boolean
  required?: string[]
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}
type Operation = { operationId: string; parameters?: unknown[]; requestBody?: unknown }
type Validator = {
  validateRequest: (
    request: object,
  ) => { errors: { path?: string; message: string; location: string }[] } | undefined
}
type ValidatorOptions = Operation & { componentSchemas: object; ajvOptions: object }

// `require`, because Node does not find the default export of this CommonJS module.
const { default: RequestValidator } = createRequire(import.meta.url)(
  'openapi-request-validator',
) as { default: new (options: ValidatorOptions) => Validator }

export const STRIPE_API_VERSION = '2026-10-28.endive'

/** The part of Stripe's own API description that Tatami uses. Unknown parameters are refused. */
const contract = JSON.parse(
  readFileSync(new URL('stripe.strict.openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export type StripeCall = {
  /** For example `PostCheckoutSessions`. */
  operation: string
  /** The ids in the path. */
  ids: string[]
  form: Form
  /** How the request breaks the contract. */
  violations: string[]
}

const METHODS = ['get', 'post', 'delete']

const operations = Object.entries(contract.paths).flatMap(([path, operationByMethod]) =>
  METHODS.flatMap((method) => {
    const operation = operationByMethod[method]
    if (!operation) return []
    const pattern = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+?)')
    const validator = new RequestValidator({
      ...operation,
      componentSchemas: contract.components.schemas,
      ajvOptions: { coerceTypes: true },
    })
    return [{ method, name: operation.operationId, path: new RegExp(`^${pattern}$`), validator }]
  }),
)

/** Finds the operation that a request calls, and checks the request. Undefined if there is none. */
export function readStripeCall(
  method: string,
  url: string,
  body: string,
  headers: object,
): StripeCall | undefined {
  const { pathname, search } = new URL(url, 'http://stripe')
  for (const { name, method: expectedMethod, path, validator } of operations) {
    const match = path.exec(pathname)
    if (!match || expectedMethod !== method.toLowerCase()) continue
    const query = parseForm(search.slice(1))
    const form = parseForm(body)
    // The validator changes texts to numbers in place, so it gets copies.
    const result = validator.validateRequest({
      headers: structuredClone(headers),
      params: { ...match.groups },
      query: structuredClone(query),
      ...(method === 'POST' && { body: structuredClone(form) }),
    })
    const violations = (result?.errors ?? []).map(
      ({ location, path: field = '', message }) => `${name}: ${location} ${field} ${message}`,
    )
    const ids = Object.values(match.groups ?? {})
    return { operation: name, ids, form: method === 'POST' ? form : query, violations }
  }
  return undefined
}

function schemaOf(name: string): Schema {
  const schema = contract.components.schemas[name]
  if (!schema) throw new Error(`Stripe's contract has no ${name}`)
  return schema
}

/** The emptiest value that a schema allows. */
function emptyValue(schema: Schema): unknown {
  if (schema.nullable) return null
  if (schema.$ref) return emptyValue(schemaOf(schema.$ref.split('/').at(-1) ?? ''))
  if (schema.anyOf) return null
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return 0
  if (schema.type === 'string') return ''
  const { required = [], properties = {} } = schema
  return Object.fromEntries(required.map((name) => [name, emptyValue(properties[name] ?? {})]))
}

/** An object of Stripe with every required field, for example a `payment_intent`. */
export const stripeObject = <T>(schemaName: string, fields: Partial<T>): T => ({
  ...(emptyValue(schemaOf(schemaName)) as T),
  ...fields,
})
