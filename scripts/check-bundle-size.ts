import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MAX_DOCUMENT_BYTES = 60_000
/** People open the page for signing once, on a phone with a slow network. */
const MAX_SIGNING_BYTES = 20_000
const SIGNING_PAGE = 'signing page'
const MAX_SCREEN_BYTES = 175_000
const MAX_FORM_BYTES = 190_000
/** Screens that consist of a form may be larger. */
const FORM_SCREENS =
  /^(profile\/\w.*-(page|dialog)|staff\/join-staff-page|consent\/consent-page|landing\/dialogs)\.tsx$/

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }
type Manifest = Record<string, Chunk>

function listChunkFiles(manifest: Manifest, chunks: string[]): string[] {
  const visitedChunks = new Set<string>()
  const visit = (name: string) => {
    if (visitedChunks.has(name)) return
    visitedChunks.add(name)
    manifest[name]?.imports?.forEach(visit)
  }
  chunks.forEach(visit)
  return [...visitedChunks].flatMap((name) => manifest[name]?.file ?? [])
}

const chunksIn = (manifest: Manifest, html: string) =>
  Object.keys(manifest).filter((name) => html.includes(`"/${manifest[name]?.file}"`))

export function listDownloads(
  manifest: Manifest,
  documents: Record<string, string>,
  appHtml: string,
) {
  const appChunks = chunksIn(manifest, appHtml)
  const screens = [...new Set(appChunks.flatMap((name) => manifest[name]?.dynamicImports ?? []))]
  return [
    ...Object.entries(documents).map(([screen, html]) => ({
      screen,
      limit: screen === SIGNING_PAGE ? MAX_SIGNING_BYTES : MAX_DOCUMENT_BYTES,
      files: listChunkFiles(manifest, chunksIn(manifest, html)),
    })),
    ...screens.map((screen) => ({
      screen,
      limit: FORM_SCREENS.test(screen) ? MAX_FORM_BYTES : MAX_SCREEN_BYTES,
      files: listChunkFiles(manifest, [...appChunks, screen]),
    })),
  ]
}

function main() {
  const dist = join(import.meta.dirname, '../web/dist')
  const read = (file: string) => readFileSync(join(dist, file), 'utf8')
  if (!existsSync(join(dist, 'index.html')))
    throw new Error(`${dist} is missing. Run "npm run build" first.`)
  const downloadSize = (file: string) =>
    statSync(join(dist, existsSync(join(dist, `${file}.br`)) ? `${file}.br` : file)).size
  const manifest = JSON.parse(read('.vite/manifest.json')) as Manifest
  const documents = {
    'landing page': read('index.html'),
    'login page': read('login.html'),
    [SIGNING_PAGE]: read('sign.html'),
  }
  for (const { screen, limit, files } of listDownloads(manifest, documents, read('app.html'))) {
    const bytes = files
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + downloadSize(file), 0)
    console.log(`${(bytes / 1000).toFixed(1).padStart(6)} kB of ${limit / 1000}  ${screen}`)
    if (bytes <= limit) continue
    console.error(
      `Too large: ${screen} needs ${bytes} bytes of JavaScript, ${bytes - limit} more than allowed`,
    )
    process.exitCode = 1
  }
}

if (import.meta.main) main()
