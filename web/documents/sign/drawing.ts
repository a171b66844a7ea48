import { MAX_DRAWING_LENGTH } from '@tatami/contract/documents/signing'
import { element } from './elements.ts'

const WIDTH = 300
const HEIGHT = 100
const SVG = 'http://www.w3.org/2000/svg'

export type Drawing = { node: HTMLElement; read: () => string | undefined }

/** A box in which people may draw their signature. Nobody has to, because many cannot. */
export function createDrawing(): Drawing {
  const box = document.createElementNS(SVG, 'svg')
  const path = document.createElementNS(SVG, 'path')
  let drawnPath = ''
  const update = (newPath: string) => {
    // The box takes no more ink once the path is as long as the server accepts.
    if (newPath.length > MAX_DRAWING_LENGTH) return
    drawnPath = newPath
    path.setAttribute('d', drawnPath)
  }
  box.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`)
  box.setAttribute('class', 'drawing')
  box.setAttribute('role', 'img')
  box.setAttribute('aria-label', 'Draw your signature here')
  box.append(path)
  const toPoint = ({ clientX, clientY }: PointerEvent): string => {
    const { left, top, width, height } = box.getBoundingClientRect()
    const x = Math.round(((clientX - left) / width) * WIDTH)
    const y = Math.round(((clientY - top) / height) * HEIGHT)
    return `${Math.min(WIDTH, Math.max(0, x))} ${Math.min(HEIGHT, Math.max(0, y))}`
  }
  box.addEventListener('pointerdown', (event) => {
    box.setPointerCapture(event.pointerId)
    update(`${drawnPath}M${toPoint(event)}`)
  })
  box.addEventListener('pointermove', (event) => {
    if (box.hasPointerCapture(event.pointerId)) update(`${drawnPath}L${toPoint(event)}`)
  })
  const node = element(
    'details',
    {},
    element('summary', {}, 'Draw your signature (not required)'),
    box,
    element('button', { type: 'button', class: 'quiet', onclick: () => update('') }, 'Clear'),
  )
  return { node, read: () => drawnPath || undefined }
}
