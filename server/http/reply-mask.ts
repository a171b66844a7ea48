import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { maskOf, type Right } from '@tatami/contract/rights'
import { z } from 'zod'
import { SerializedReply } from './serialized-reply.ts'
import type { StaffScope } from './serve.ts'

type Rights = ReadonlySet<Right>
type Transform = (value: unknown) => unknown
const keepValue: Transform = (value) => value

/** Returns a function that hides the fields of a reply that a member of staff may not see. The
 *  contract declares these fields with `hiddenWithout`, and `maskOf` reads the declaration. */
export function createReplyMask(
  endpoint: Endpoint,
): (reply: SerializedReply, staff: StaffScope | null) => SerializedReply {
  const relevantRights = [...listMaskRights(endpoint.reply)]
  const transforms = new Map<string, Transform>()
  return (reply, staff) => {
    if (!staff || relevantRights.every((right) => staff.rights.has(right))) return reply
    const key = relevantRights.filter((right) => staff.rights.has(right)).join()
    const transform = transforms.get(key) ?? createTransform(endpoint.reply, staff.rights)
    transforms.set(key, transform)
    if (transform === keepValue) return reply
    const maskedReply = transform(JSON.parse(reply.body.toString()))
    return new SerializedReply(endpoint, JSON.stringify(maskedReply))
  }
}

/** Lists the rights that decide which fields of a reply are hidden. */
export function listMaskRights(schema: z.ZodType): Set<Right> {
  const rights = childSchemas(schema).flatMap((childSchema) => [...listMaskRights(childSchema)])
  return new Set([...(maskOf(schema)?.rights ?? []), ...rights])
}

function childSchemas(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return [schema.unwrap() as z.ZodType]
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType]
  if (schema instanceof z.ZodObject) return Object.values(schema.shape) as z.ZodType[]
  if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[]
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType]
  return []
}

function createTransform(schema: z.ZodType, rights: Rights): Transform {
  const mask = maskOf(schema)
  if (mask && !mask.rights.some((right) => rights.has(right))) return mask.replace
  if (schema instanceof z.ZodObject) return createObjectTransform(schema, rights)
  // A union applies the transforms of all its options, because each changes only existing fields.
  const transforms = childSchemas(schema)
    .map((childSchema) => createTransform(childSchema, rights))
    .filter((transform) => transform !== keepValue)
  if (transforms.length === 0) return keepValue
  const transform: Transform = (value) =>
    transforms.reduce((result, applyTransform) => applyTransform(result), value)
  if (schema instanceof z.ZodArray) return (value) => (value as unknown[]).map(transform)
  if (schema instanceof z.ZodRecord)
    return (value) => mapValues(value as Record<string, unknown>, transform)
  return (value) => (value === null || value === undefined ? value : transform(value))
}

const mapValues = (record: Record<string, unknown>, transform: Transform) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, transform(value)]))

function createObjectTransform(schema: z.ZodObject, rights: Rights): Transform {
  const transforms = Object.entries(schema.shape)
    .map(([name, field]) => [name, createTransform(field as z.ZodType, rights)] as const)
    .filter(([, transform]) => transform !== keepValue)
  if (transforms.length === 0) return keepValue
  return (value) => {
    const result = { ...(value as Record<string, unknown>) }
    for (const [name, transform] of transforms)
      if (name in result) result[name] = transform(result[name])
    return result
  }
}
