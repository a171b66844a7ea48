import { registerHooks } from 'node:module'

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
