import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Validator = {
  validateRequest: (
    request: object,
  ) => { errors: { path?: string; message: string; location: string }[] } | undefined
}
type Operation = { parameters: unknown[]; requestBody?: unknown }
// Uses `require`, because Node does not find the default export of this CommonJS module.
const { default: RequestValidator } = createRequire(import.meta.url)(
  'openapi-request-validator',
) as {
  default: new (operation: object) => Validator
}

/** Twilio's API description of the calls about messages. We added the patterns of phone numbers and
 *  the error responses. */
const contract = JSON.parse(
  readFileSync(new URL('twilio_messages.strict.openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: object }
}
const calls = Object.entries(contract.paths).flatMap(([path, operations]) =>
  ['get', 'post', 'delete'].flatMap((method) => {
    const operation = operations[method]
    if (!operation) return []
    const validator = new RequestValidator({
      ...operation,
      componentSchemas: contract.components.schemas,
    })
    return [
      {
        method,
        path: new RegExp(
          `^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+?)')}$`,
        ),
        validator,
      },
    ]
  }),
)

const INTEGER_PARAMETERS = ['PageSize', 'Page']

/** Returns the ways in which a call breaks Twilio's contract. */
export function contractViolations(
  method: string,
  url: string,
  form: string,
  headers: object,
): string[] {
  const { pathname, searchParams } = new URL(url, 'http://twilio')
  for (const call of calls) {
    const match = call.path.exec(pathname)
    if (!match || call.method !== method.toLowerCase()) continue
    const query = Object.fromEntries(
      [...searchParams].map(([name, value]) => [
        name,
        INTEGER_PARAMETERS.includes(name) ? Number(value) : value,
      ]),
    )
    const result = call.validator.validateRequest({
      headers,
      params: { ...match.groups },
      query,
      ...(method === 'POST' && { body: Object.fromEntries(new URLSearchParams(form)) }),
    })
    return (result?.errors ?? []).map(
      ({ location, path = '', message }) => `${method} ${pathname}: ${location} ${path} ${message}`,
    )
  }
  return [`${method} ${pathname} is not a call in the contract`]
}
