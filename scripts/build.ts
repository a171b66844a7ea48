import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const web = join(import.meta.dirname, '../web')
const dist = join(web, 'dist')

/** Compression would save little in a smaller file. */
const MIN_COMPRESSED_BYTES = 200

async function compress(file: string) {
  const bytes = readFileSync(join(dist, file))
  if (bytes.length < MIN_COMPRESSED_BYTES) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(join(dist, `${file}.br`), br)
  writeFileSync(join(dist, `${file}.gz`), gz)
}

type Chunk = {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

const readManifest = () =>
  JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

/** If two chunks import each other, one runs before the other is ready, and the page crashes. */
function findCircularFiles(): string[] {
  const manifest = readManifest()
  const imports = (chunk: string, goal: string, visitedChunks = new Set<string>()): boolean =>
    (manifest[chunk]?.imports ?? []).some((importedChunk) => {
      if (importedChunk === goal) return true
      if (visitedChunks.has(importedChunk)) return false
      return imports(importedChunk, goal, visitedChunks.add(importedChunk))
    })
  return Object.keys(manifest)
    .filter((chunk) => imports(chunk, chunk))
    .flatMap((chunk) => manifest[chunk]?.file ?? [])
}

const SCREENSHOTS = [
  {
    picture: 'attendance-light',
    sizes: '390x844',
    form_factor: 'narrow',
    label: 'The attendance of a class',
  },
  {
    picture: 'payments-light',
    sizes: '390x844',
    form_factor: 'narrow',
    label: 'The students who still have to pay',
  },
  {
    picture: 'dashboard-light',
    sizes: '1280x800',
    form_factor: 'wide',
    label: 'The day at a glance',
  },
]

function addScreenshots() {
  const path = join(dist, 'manifest.webmanifest')
  const screenshots = SCREENSHOTS.map(({ picture, ...fields }) => {
    const [file] = globSync(`assets/${picture}-*.webp`, { cwd: dist })
    if (!file) throw new Error(`The landing page has no picture ${picture} for the manifest.`)
    return { src: `/${file}`, type: 'image/webp', ...fields }
  })
  writeFileSync(
    path,
    JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), screenshots }),
  )
}

/** Matches modules that are not stored for offline use. */
const ONLINE_ONLY =
  /landing\/|profile\/.*page|consent\/consent-page|super-admin|sensei\/|import\/|certificate-page|simulator|bookkeeping|sign-in\//

/** Lists the files for offline use, and writes the same version into the worker and the pages. */
function configureServiceWorker() {
  const manifest = readManifest()
  const files = new Set<string>()
  const read = (file: string) => readFileSync(join(dist, file), 'utf8')
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file)
    chunk.imports?.forEach(visit)
    chunk.dynamicImports?.filter((file) => !ONLINE_ONLY.test(file)).forEach(visit)
  }
  for (const [name, { file }] of Object.entries(manifest))
    if (read('app.html').includes(`"/${file}"`)) visit(name)
  const precachedFiles = [
    '/icon.svg',
    '/manifest.webmanifest',
    ...[...files].toSorted().map((file) => `/${file}`),
  ]
  const worker = read('sw.js')
  const version = createHash('sha256')
    .update([worker, read('app.html'), read('manifest.webmanifest'), ...precachedFiles].join('\n'))
    .digest('hex')
    .slice(0, 12)
  const workerSource = worker
    .replace("const VERSION = 'development'", `const VERSION = '${version}'`)
    .replace('const FILES = []', `const FILES = ${JSON.stringify(precachedFiles)}`)
  if (workerSource.split(version).length !== 2)
    throw new Error('web/public/sw.js must have exactly one VERSION and one list of FILES.')
  writeFileSync(join(dist, 'sw.js'), workerSource)
  for (const page of ['index.html', 'login.html', 'sign.html', 'app.html'])
    writeFileSync(
      join(dist, page),
      read(page).replace('<meta charset="utf-8">', `$&<meta name="version" content="${version}">`),
    )
}

await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' })
const circularFiles = findCircularFiles()
if (circularFiles.length > 0)
  throw new Error(
    `These chunks import each other: ${circularFiles.join(', ')}. ` +
      'See CHUNKS in web/vite.config.ts.',
  )
addScreenshots()
configureServiceWorker()
await Promise.all(
  globSync('**/*.{html,js,css,svg,json,webmanifest,txt}', { cwd: dist }).map(compress),
)
