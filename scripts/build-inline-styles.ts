import type { Plugin } from 'vite'

const SHEET = /<link rel="stylesheet" crossorigin href="\/([^"]+)">/g

/**
 * Puts the sheets of the app's document into it: they come with it, in the time in which the line would wait for the scripts' first bytes,
 * and the first paint and the first script wait for one answer less. The switched-off link, which no browser loads, tells Vite's loader
 * that the sheet is there.
 */
export function inlineStyles(document: string): Plugin {
  return {
    name: 'tatami-inline-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path, bundle }) =>
        path !== `/${document}`
          ? html
          : html.replace(SHEET, (link, file: string) => {
              const sheet = bundle?.[file]
              if (sheet?.type !== 'asset')
                throw new Error(`${document} has a sheet that was not built: ${file}`)
              return `<style>${String(sheet.source)}</style>\n    ${link.replace('>', ' disabled>')}`
            }),
    },
  }
}
