import { MAX_SIDE } from '@tatami/contract/pictures/pictures'
import { type KeyboardEvent, type PointerEvent, useId, useLayoutEffect, useRef } from 'react'
import { clampCrop, type Crop, MAX_ZOOM, moveCrop } from './crop.ts'
import styles from './crop-field.module.css'
import { drawCrop } from './picture-file.ts'
import kit from '../ui/kit.module.css'

type Props = { picture: ImageBitmap; crop: Crop; onChange: (crop: Crop) => void }

const KEY_STEP = 0.05
const KEY_MOVES: Record<string, [shiftX: number, shiftY: number]> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
}

/** Shows the picture in the circle in which it will be seen. It can be moved and enlarged. */
export function CropField({ picture, crop, onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const lastPoint = useRef({ x: 0, y: 0 })
  const hintId = useId()
  useLayoutEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop)
  }, [picture, crop])
  const move = (shiftX: number, shiftY: number) => onChange(moveCrop(picture, crop, shiftX, shiftY))
  const grab = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>) => {
    currentTarget.setPointerCapture(pointerId)
    lastPoint.current = { x: clientX, y: clientY }
  }
  const drag = ({ currentTarget, buttons, clientX, clientY }: PointerEvent<HTMLElement>) => {
    if (buttons === 0) return
    const { x, y } = lastPoint.current
    lastPoint.current = { x: clientX, y: clientY }
    move((clientX - x) / currentTarget.clientWidth, (clientY - y) / currentTarget.clientHeight)
  }
  const moveByKey = (event: KeyboardEvent) => {
    const step = KEY_MOVES[event.key]
    if (!step) return
    event.preventDefault()
    move(...step)
  }
  return (
    <div className={`${kit.stackSmall} ${styles.crop}`}>
      <div
        role="application"
        aria-label="Part of the picture"
        aria-describedby={hintId}
        tabIndex={0}
        className={styles.circle}
        onPointerDown={grab}
        onPointerMove={drag}
        onKeyDown={moveByKey}
      >
        <canvas ref={canvas} width={MAX_SIDE} height={MAX_SIDE} className={styles.picture} />
      </div>
      <p id={hintId} className={kit.note}>
        Drag the picture, or use the arrow keys.
      </p>
      <label className={styles.zoom}>
        Zoom
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={({ currentTarget }) =>
            onChange(clampCrop(picture, { ...crop, zoom: Number(currentTarget.value) }))
          }
        />
      </label>
    </div>
  )
}
