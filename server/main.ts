import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

/** Keeps compiled code between starts, however the server is started: a third of the processor time that a start takes. Where the folder
 *  cannot be written, Node does without. */
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'))

/** Drizzle comes as hundreds of small ES modules, which Node loads in 0.7 s, and as CommonJS, in 0.1 s. */
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier,
      specifier.startsWith('drizzle-orm')
        ? { ...context, conditions: context.conditions.map((name) => (name === 'import' ? 'require' : name)) }
        : context,
    ),
})
await import('./start.ts')
