import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const HOLD_MS = 500
const MAX_MOVE_PX = 10

/** Props for an element that reacts to a long press. It then ignores the click that follows. */
export function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const press = useRef({ x: 0, y: 0, isTouch: false, wasLong: false })
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      cancel()
      press.current = { x: clientX, y: clientY, isTouch: pointerType === 'touch', wasLong: false }
      if (!press.current.isTouch) return
      timer.current = setTimeout(() => {
        press.current.wasLong = true
        onLongPress()
      }, HOLD_MS)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > MAX_MOVE_PX) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onPointerLeave: cancel,
    onClickCapture: (event: MouseEvent) => {
      if (!press.current.wasLong) return
      press.current.wasLong = false
      event.preventDefault()
      event.stopPropagation()
    },
    onContextMenu: (event: MouseEvent) => press.current.isTouch && event.preventDefault(),
  }
}
