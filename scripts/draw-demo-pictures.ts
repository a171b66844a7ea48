/** Draws the demo dojo's logo and the faces of its students, who do not exist: node
 *  scripts/draw-demo-pictures.ts. Writes server/demo/logo.jpg and server/demo/faces/*.webp. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { faceFileName } from '../server/demo/pictures.ts'
import { PEOPLE } from '../server/demo/people.ts'
import { chromiumPath } from './chromium.mjs'

const FOLDER = 'server/demo'
const FACES_FOLDER = `${FOLDER}/faces`
const SIDE = 256
const WEBP_QUALITY = 82
const JPEG_QUALITY = 90

/** The skin, and its shade in shadow. */
const SKIN_COLORS = {
  pale: ['#f6d9c4', '#e9bfa4'],
  fair: ['#f0c8a8', '#dda985'],
  tan: ['#dba97c', '#c38c5f'],
  brown: ['#b07d52', '#96653e'],
  dark: ['#80563a', '#69442d'],
} as const
const HAIR_COLORS = {
  black: '#26211f',
  brown: '#5a3b28',
  chestnut: '#7c4a2a',
  blond: '#d9b26a',
  red: '#b4552d',
  grey: '#9a9691',
  teal: '#3f7f86',
} as const
const BACKGROUNDS = ['#e6ddf7', '#dfe9dd', '#f3e2cf', '#dbe7f2', '#f4dcd9', '#ece6c9']
const GI = '#fbfaf6'
const GI_SHADE = '#e3ddd2'
const INK = '#3a2a22'

type Look = {
  skin: keyof typeof SKIN_COLORS
  hair: keyof typeof HAIR_COLORS
  style: keyof typeof HAIR_STYLES
  extras?: (keyof typeof EXTRAS)[]
}
/** Draws hair behind the head and in front of it. */
type HairStyle = (color: string) => { back?: string; front: string }

const path = (shape: string, fill: string) =>
  `<path d="${shape}" fill="${fill}" fill-rule="evenodd"/>`
const circle = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`
const line = (shape: string, color: string, width: number) =>
  `<path d="${shape}" fill="none" stroke="${color}" stroke-width="${width}" ` +
  'stroke-linecap="round"/>'

/** Draws curls on an arc over the head. Angles are in degrees, and 270 is the top. */
function curls(
  color: string,
  radius: number,
  size: number,
  firstAngle = 180,
  lastAngle = 360,
): string {
  const count = Math.round((lastAngle - firstAngle) / 18)
  return Array.from({ length: count + 1 }, (_, index) => {
    const angle = ((firstAngle + (index * (lastAngle - firstAngle)) / count) * Math.PI) / 180
    return circle(
      Math.round(128 + radius * Math.cos(angle)),
      Math.round(114 + radius * Math.sin(angle)),
      size,
      color,
    )
  }).join('')
}

const CAP =
  'M72 122C66 70 92 48 128 48s62 22 56 74c-6-22-14-34-24-40-20 10-46 8-62-2-12 8-20 20-26 42z'
const SIDE_PART =
  'M72 122C64 66 96 46 132 46c36 0 58 26 52 76-4-18-10-30-20-38-28 6-54 0-68-14-4 20-12 34-24 52z'
const SMOOTH = 'M72 122C66 70 94 46 128 46s62 24 56 76c-4-30-24-50-56-50s-52 20-56 50z'
const LONG_BACK =
  'M62 128C56 70 90 42 128 42s72 28 66 86l4 64c-12 14-40 14-48 8H106c-8 6-36 6-48-8z'
const BOB_BACK = 'M64 128C58 70 92 42 128 42s70 28 64 86v34c-8 12-24 14-34 8H98c-10 6-26 4-34-8z'

const BUZZ = 'M76 108C76 70 98 54 128 54s52 16 52 54c-8-18-24-28-52-28s-44 10-52 28z'
const SPIKES =
  'M72 120C66 84 78 64 78 64l14 8 6-24 18 16 12-22 14 22 18-14 6 22 14-4s8 22 4 52' +
  'c-6-20-14-30-26-36-18 6-42 6-60 0-12 6-20 16-26 36z'
const SCARF_BACK = 'M56 132C52 68 88 38 128 38s76 30 72 94c-2 40 8 62 20 82H36c12-20 22-42 20-82z'
const SCARF_FRONT =
  'M128 44c-42 0-64 32-60 84 4 46 30 66 60 66s56-20 60-66c4-52-18-84-60-84z' +
  'm0 28c28 0 44 20 42 52-2 34-20 54-42 54s-40-20-42-54c-2-32 14-52 42-52z'
const BEARD =
  'M78 132c0 36 20 54 50 54s50-18 50-54c-4 16-12 22-24 22-10-8-42-8-52 0-12 0-20-6-24-22z'
const FRECKLES_X = [98, 106, 114, 142, 150, 158]
const MUSTACHE = 'M104 152c8-10 20-8 24-4 4-4 16-6 24 4-8 4-18 4-24 0-6 4-16 4-24 0z'

const HAIR_STYLES = {
  short: (color) => ({ front: path(CAP, color) }),
  parted: (color) => ({ front: path(SIDE_PART, color) }),
  buzz: (color) => ({ front: `<g opacity="0.75">${path(BUZZ, color)}</g>` }),
  spiky: (color) => ({ front: path(SPIKES, color) }),
  curly: (color) => ({ front: curls(color, 52, 19, 188, 352) }),
  afro: (color) => ({
    back: circle(128, 102, 78, color),
    front: curls(color, 56, 16, 205, 335),
  }),
  long: (color) => ({ back: path(LONG_BACK, color), front: path(SIDE_PART, color) }),
  straight: (color) => ({ back: path(LONG_BACK, color), front: path(SMOOTH, color) }),
  wavy: (color) => ({
    back: path(LONG_BACK, color) + curls(color, 70, 16, 0, 40) + curls(color, 70, 16, 140, 180),
    front: path(SIDE_PART, color),
  }),
  bob: (color) => ({ back: path(BOB_BACK, color), front: path(SMOOTH, color) }),
  fringe: (color) => ({
    back: path(BOB_BACK, color),
    front: path(
      'M72 124C66 70 94 46 128 46s62 24 56 78c-2-12-4-20-8-26-30 8-66 8-96 0-4 6-6 14-8 26z',
      color,
    ),
  }),
  ponytail: (color) => ({
    back: path('M168 66c40-4 56 40 40 84-2-26-14-46-36-58z', color),
    front: path(SMOOTH, color),
  }),
  bun: (color) => ({ back: circle(128, 42, 24, color), front: path(SMOOTH, color) }),
  pigtails: (color) => ({
    back: path('M64 96c-34 4-34 56-16 80 4-24 12-40 26-52z', color).concat(
      path('M192 96c34 4 34 56 16 80-4-24-12-40-26-52z', color),
    ),
    front: path(SMOOTH, color),
  }),
  bald: (color) => ({
    front: path('M70 128c-4-14-2-28 4-38 2 14 2 26 4 38z', color).concat(
      path('M186 128c4-14 2-28-4-38-2 14-2 26-4 38z', color),
    ),
  }),
  scarf: (color) => ({ back: path(SCARF_BACK, color), front: path(SCARF_FRONT, color) }),
} satisfies Record<string, HairStyle>

const EXTRAS = {
  glasses: () =>
    `<g fill="none" stroke="${INK}" stroke-width="4"><circle cx="106" cy="128" r="17"/>` +
    '<circle cx="150" cy="128" r="17"/><path d="M123 126q5-4 10 0"/></g>',
  beard: (color: string) => path(BEARD, color),
  mustache: (color: string) => path(MUSTACHE, color),
  freckles: (_: string, shade: string) =>
    FRECKLES_X.map((x, index) => circle(x, 140 + (index % 2) * 5, 2, shade)).join(''),
} satisfies Record<string, (hair: string, shade: string) => string>

function drawFace({ skin, hair, style, extras = [] }: Look, index: number): string {
  const [skinColor, shade] = SKIN_COLORS[skin]
  const hairColor = HAIR_COLORS[hair]
  const drawHair: HairStyle = HAIR_STYLES[style]
  const { back = '', front } = drawHair(hairColor)
  const needsLightMouth = skin === 'dark' || extras.includes('beard')
  const draw = (name: keyof typeof EXTRAS) =>
    extras.includes(name) ? EXTRAS[name](hairColor, shade) : ''
  return `<svg viewBox="20 12 216 216" width="${SIDE}" height="${SIDE}">
    <rect width="256" height="256" fill="${BACKGROUNDS[index % BACKGROUNDS.length]}"/>
    ${back}
    ${path('M20 256c4-44 40-62 78-68h60c38 6 74 24 78 68z', GI)}
    ${path('M104 158h48v36c0 14-48 14-48 0z', shade)}
    ${path('M98 188l30 44 30-44-6-10c-8 12-40 12-48 0z', skinColor)}
    ${line('M94 186l36 70M162 186l-40 62', GI_SHADE, 12)}
    ${circle(76, 130, 13, skinColor)}${circle(180, 130, 13, skinColor)}
    ${path('M76 118c0-40 20-62 52-62s52 22 52 62c0 38-20 64-52 64s-52-26-52-64z', skinColor)}
    ${draw('beard')}
    ${circle(106, 128, 5, INK)}${circle(150, 128, 5, INK)}
    ${line('M96 112q10-7 20-2M140 110q10-5 20 2', style === 'scarf' ? INK : hairColor, 4)}
    ${line('M128 132q-5 10 1 13', shade, 4)}
    ${draw('freckles')}
    ${line('M112 157q16 14 32 0', needsLightMouth ? '#cf8277' : '#8c3f38', 5)}
    ${draw('mustache')}
    ${front}
    ${draw('glasses')}
  </svg>`
}

const createLook = (
  skin: Look['skin'],
  hair: Look['hair'],
  style: Look['style'],
  ...extras: NonNullable<Look['extras']>
): Look => ({ skin, hair, style, extras })

const LOOKS: Record<string, Look> = {
  'Noah Bennett': createLook('fair', 'blond', 'short'),
  'Maya Patel': createLook('brown', 'black', 'pigtails'),
  'Leo Fischer': createLook('pale', 'blond', 'curly'),
  'Zoe Walker': createLook('dark', 'black', 'afro'),
  'Omar Haddad': createLook('tan', 'black', 'curly'),
  'Ken Adams': createLook('fair', 'chestnut', 'spiky', 'freckles'),
  'Ruby Adams': createLook('fair', 'red', 'pigtails', 'freckles'),
  'Diego Ramirez': createLook('tan', 'black', 'parted'),
  'Hana Kim': createLook('pale', 'black', 'fringe'),
  'Ethan Brooks': createLook('fair', 'brown', 'short'),
  'Amara Okafor': createLook('dark', 'black', 'bun'),
  'Lucas Meyer': createLook('pale', 'brown', 'parted', 'glasses'),
  'Sofia Rossi': createLook('fair', 'brown', 'wavy'),
  'Tomás Alvarez': createLook('tan', 'brown', 'curly'),
  'Ivy Nguyen': createLook('fair', 'black', 'straight'),
  'Caleb Foster': createLook('dark', 'black', 'buzz'),
  'Priya Sharma': createLook('brown', 'black', 'long'),
  'Jack Sullivan': createLook('pale', 'red', 'spiky', 'freckles'),
  'Elif Yilmaz': createLook('fair', 'brown', 'ponytail'),
  'Mateo Cruz': createLook('tan', 'black', 'spiky'),
  'Chloe Martin': createLook('pale', 'chestnut', 'bob'),
  'Aiden Clark': createLook('fair', 'blond', 'parted'),
  'Nora Lindqvist': createLook('pale', 'blond', 'long'),
  'Jamal Carter': createLook('dark', 'black', 'curly'),
  'Robin Ellis': createLook('fair', 'teal', 'bob'),
  'Mei Lin': createLook('fair', 'black', 'bun', 'glasses'),
  'Samuel Wright': createLook('brown', 'black', 'buzz', 'beard'),
  'Olivia Hughes': createLook('fair', 'chestnut', 'wavy'),
  'Daniel Schmidt': createLook('pale', 'brown', 'short', 'glasses'),
  'Fatima Zahra': createLook('tan', 'teal', 'scarf'),
  'Victor Dubois': createLook('fair', 'grey', 'parted', 'mustache'),
  'Grace Thompson': createLook('dark', 'black', 'straight'),
  'Hiroshi Sato': createLook('fair', 'grey', 'short'),
  'Emma Johansson': createLook('pale', 'blond', 'ponytail'),
  'Marcus Green': createLook('dark', 'black', 'bald', 'beard'),
  'Isabella Conti': createLook('tan', 'brown', 'long'),
  'Andre Silva': createLook('brown', 'black', 'curly', 'beard'),
  'Rachel Cohen': createLook('fair', 'brown', 'curly', 'glasses'),
  'Piotr Nowak': createLook('pale', 'blond', 'buzz'),
  'Keiko Mori': createLook('fair', 'black', 'bob'),
  'Liam Porter': createLook('fair', 'red', 'parted', 'beard'),
  'Finn Adams': createLook('fair', 'chestnut', 'curly', 'freckles'),
}

/** A cedar on a mat, without transparency, because logos are JPEG files. */
const LOGO = `<svg viewBox="0 0 256 256" width="${SIDE}" height="${SIDE}">
  <rect width="256" height="256" fill="#2f6b4f"/>
  ${path('M120 176h16v32h-16z', '#d9b26a')}
  ${path('M128 30l36 50h-19l36 46h-23l42 54H56l42-54H75l36-46H92z', '#fbfaf6')}
  ${path('M128 30l36 50h-19l36 46h-23l42 54h-72z', '#e3ddd2')}
  ${line('M62 214h132', '#d9b26a', 12)}
</svg>`

mkdirSync(FACES_FOLDER, { recursive: true })
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const context = await browser.newContext({ viewport: { width: SIDE, height: SIDE } })
const page = await context.newPage()
const devtools = await context.newCDPSession(page)
const show = (drawing: string) =>
  page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing}`)

await show(LOGO)
await page.screenshot({ path: `${FOLDER}/logo.jpg`, quality: JPEG_QUALITY })
for (const [index, { name }] of PEOPLE.entries()) {
  const look = LOOKS[name]
  if (!look) continue
  await show(drawFace(look, index))
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: WEBP_QUALITY,
  })
  writeFileSync(`${FACES_FOLDER}/${faceFileName(name)}`, Buffer.from(data, 'base64'))
}
await browser.close()
