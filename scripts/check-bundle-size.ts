/** Compares the JavaScript that a first visit to each screen downloads (brotli) with its budget. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const LANDING_BYTES = 130_000
const SCREEN_BYTES = 230_000

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }
/** The manifest that Vite writes with a build: what each chunk imports, statically and dynamically. */
type Manifest = Record<string, Chunk>

/** The files of these chunks and of everything they import statically. */
function filesWith(manifest: Manifest, chunks: string[]): string[] {
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    manifest[name]?.imports?.forEach(visit)
  }
  chunks.forEach(visit)
  return [...seen].flatMap((name) => manifest[name]?.file ?? [])
}

/** The chunks that an HTML document loads itself. */
const chunksIn = (manifest: Manifest, html: string) => Object.keys(manifest).filter((name) => html.includes(`"/${manifest[name]!.file}"`))

/** The landing page, and every screen: the app and what it loads to show the screen. */
export function downloadsOf(manifest: Manifest, landing: string, app: string) {
  const start = chunksIn(manifest, app)
  const screens = [...new Set(start.flatMap((name) => manifest[name]?.dynamicImports ?? []))]
  return [
    { screen: 'landing page', limit: LANDING_BYTES, files: filesWith(manifest, chunksIn(manifest, landing)) },
    ...screens.map((screen) => ({ screen, limit: SCREEN_BYTES, files: filesWith(manifest, [...start, screen]) })),
  ]
}

function main() {
  const dist = join(import.meta.dirname, '../web/dist')
  const read = (file: string) => readFileSync(join(dist, file), 'utf8')
  if (!existsSync(join(dist, 'index.html'))) throw new Error(`${dist} is missing: run "npm run build"`)
  const sent = (file: string) => statSync(join(dist, existsSync(join(dist, `${file}.br`)) ? `${file}.br` : file)).size
  for (const { screen, limit, files } of downloadsOf(
    JSON.parse(read('.vite/manifest.json')) as Manifest,
    read('index.html'),
    read('app.html'),
  )) {
    const bytes = files.filter((file) => file.endsWith('.js')).reduce((sum, file) => sum + sent(file), 0)
    console.log(`${(bytes / 1000).toFixed(1).padStart(6)} kB of ${limit / 1000}  ${screen}`)
    if (bytes <= limit) continue
    console.error(`Too large: ${screen} needs ${bytes} bytes of JavaScript, ${bytes - limit} more than allowed`)
    process.exitCode = 1
  }
}

if (import.meta.main) main()
