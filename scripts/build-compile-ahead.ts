import type { Plugin } from 'vite'

/**
 * Has V8 compile these chunks as a whole while they arrive, beside the main thread, instead of function by function on it once they run: for
 * what every screen runs at its start. Other engines see a comment.
 */
export function compileAhead(names: RegExp): Plugin {
  return {
    name: 'tatami-compile-ahead',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // It counts in the first line only, where Vite writes the names of what a chunk loads.
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && names.test(chunk.name))
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      },
    },
  }
}
