import {
  enableCompileCache,
  registerHooks,
  type ResolveFnOutput,
  type ResolveHookContext,
  type ResolveHookSync,
} from 'node:module'
import { join } from 'node:path'

/** Keeps compiled code between starts, however the server is started: a third of the processor time that a start takes. Where the folder
 *  cannot be written, Node does without. */
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'))

const drizzle = new Map<string, ResolveFnOutput>()

/** Drizzle comes as hundreds of small ES modules, which Node loads in 0.7 s, and as CommonJS, in 0.1 s. Node would read its long list of
 *  exports anew for each import. */
function resolveDrizzle(
  specifier: string,
  context: ResolveHookContext,
  next: Parameters<ResolveHookSync>[2],
): ResolveFnOutput {
  const known = drizzle.get(specifier)
  if (known) return known
  const conditions = context.conditions.map((name) => (name === 'import' ? 'require' : name))
  const found = { ...next(specifier, { ...context, conditions }), shortCircuit: true }
  drizzle.set(specifier, found)
  return found
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('drizzle-orm')
      ? resolveDrizzle(specifier, context, next)
      : next(specifier, context),
})
await import('./start.ts')
