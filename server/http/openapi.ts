import { setImmediate } from 'node:timers/promises'
import { ROLES_BY_ACCESS, type Endpoint } from '@tatami/contract/lib/endpoint'
import { rightsNeededBy } from '@tatami/contract/needed-rights'
import { RIGHTS } from '@tatami/contract/rights'
import { z } from 'zod'
import { createExampleBody } from './example-body.ts'

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}

export type Content = Record<string, { schema: object; example?: unknown }>
const createJsonContent = (schema: object, example?: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})
const REFUSAL_SCHEMA = {
  type: 'object',
  required: ['detail'],
  properties: { detail: { type: 'string' } },
}
const INVALID_INPUT_SCHEMA = {
  type: 'object',
  required: ['detail', 'errors'],
  properties: {
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}
const describeResponse = (description: string, schema: object) => ({
  description,
  content: createJsonContent(schema),
})

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: unknown }

function describeParameters(location: Parameter['in'], schema?: z.ZodType): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }))
}

export const describeRoles = ({ access }: Endpoint): string =>
  access === 'public' ? 'anyone' : ROLES_BY_ACCESS[access].join(', ')

/** Returns an empty string if the call is not for staff, or is only about the caller. */
export function describeNeededRights({ right = 'own' }: Endpoint): string {
  if (right === 'any') return 'Staff need no right.'
  const neededRights = rightsNeededBy(right).map((name) => `${name} (${RIGHTS[name].allows})`)
  return neededRights.length > 0 ? `Staff need: ${neededRights.join(', ')}.` : ''
}

export const toOpenApiPath = ({ path }: Endpoint): string =>
  `/api${path.replaceAll(/:(\w+)/g, '{$1}')}`

function describeOperation(module: string, name: string, endpoint: Endpoint) {
  const isPublic = endpoint.access === 'public'
  return {
    operationId: `${module}.${name}`,
    tags: [module],
    summary: endpoint.summary,
    description:
      `May be called by: ${describeRoles(endpoint)}. ${describeNeededRights(endpoint)}`.trim(),
    ...(!isPublic && { security: [{ bearer: [] }] }),
    parameters: [
      ...describeParameters('path', endpoint.params),
      ...describeParameters('query', endpoint.query),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: createJsonContent(
          toJsonSchema(endpoint.body, 'input'),
          createExampleBody(endpoint),
        ),
      },
    }),
    responses: {
      200: endpoint.file
        ? {
            description: 'The file',
            content: { [endpoint.file]: { schema: { type: 'string', format: 'binary' } } },
          }
        : describeResponse('Success', toJsonSchema(endpoint.reply, 'output')),
      ...(!isPublic && {
        401: describeResponse('The token is missing or has expired', REFUSAL_SCHEMA),
        403: describeResponse('Not allowed', REFUSAL_SCHEMA),
      }),
      ...((endpoint.body ?? endpoint.query) && {
        422: describeResponse('Invalid input', INVALID_INPUT_SCHEMA),
      }),
      default: describeResponse('Refused. `detail` has the reason', REFUSAL_SCHEMA),
    },
  }
}

/** Creates an OpenAPI 3.1 document. This takes a few hundred milliseconds, so it pauses after each
 *  endpoint to let other requests run. */
export async function createOpenApiDocument(api: Record<string, Record<string, Endpoint>>) {
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {}
  for (const [module, calls] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries(calls)) {
      await setImmediate()
      const path = toOpenApiPath(endpoint)
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: describeOperation(module, name, endpoint),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tatami',
      version: '1',
      description:
        'Every error has the form {detail}. Dates of birth and class days are calendar dates. ' +
        'Points in time are ISO date-times.',
    },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}
