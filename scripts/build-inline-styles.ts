import type { Plugin } from 'vite'

const STYLESHEET_LINK = /<link rel="stylesheet" crossorigin href="\/([^"]+)">/g

/**
 * Vite plugin that puts the stylesheets of one HTML document into the document itself, so that the
 * first paint needs one request less (0.75 to 0.44 s on the slow phone). The link stays, disabled:
 * browsers do not fetch it, and Vite's loader sees that the sheet needs no loading.
 */
export function inlineStyles(documentName: string): Plugin {
  return {
    name: 'tatami-inline-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle }) {
        if (path !== `/${documentName}`) return html
        return html.replace(STYLESHEET_LINK, (link, fileName: string) => {
          const stylesheet = bundle?.[fileName]
          if (stylesheet?.type !== 'asset')
            throw new Error(`${documentName} links a stylesheet that was not built: ${fileName}`)
          const disabledLink = link.replace('>', ' disabled>')
          return `<style>${String(stylesheet.source)}</style>\n    ${disabledLink}`
        })
      },
    },
  }
}
