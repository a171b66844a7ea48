import { useEffect, useEffectEvent, useState } from 'react'

/** How many CSS pixels a finger may wander before it counts as moving, as in browsers. */
const SLOP = 10

type Point = { x: number; y: number }
/** Of the first finger. */
const pointOf = ({ touches: [touch] }: TouchEvent): Point | undefined =>
  touch && { x: touch.clientX, y: touch.clientY }

const isDownward = (start: Point, end: Point) => end.y - start.y > Math.abs(end.x - start.x)
const hasMoved = (start: Point, end: Point) => Math.hypot(end.x - start.x, end.y - start.y) > SLOP

const mayBegin = ({ touches, target }: TouchEvent) =>
  touches.length === 1 &&
  window.scrollY <= 0 &&
  !(target instanceof Element && target.closest('dialog'))

/** How far a finger has pulled the page down from its top, in CSS pixels. */
export function usePull({
  enough,
  onBegin,
  onPull,
}: {
  enough: number
  onBegin: () => void
  onPull: () => void
}): number {
  const [distance, setDistance] = useState(0)
  const begin = useEffectEvent(onBegin)
  const pull = useEffectEvent(onPull)
  useEffect(() => {
    const gesture = { from: undefined as Point | undefined, isPull: false, distance: 0 }
    const moveTo = (end: number) => {
      gesture.distance = end
      setDistance(end)
    }
    const cancel = () => {
      gesture.from = undefined
      gesture.isPull = false
      moveTo(0)
    }
    const onStart = (event: TouchEvent) => {
      cancel()
      if (mayBegin(event)) gesture.from = pointOf(event)
    }
    const onMove = (event: TouchEvent) => {
      const { from } = gesture
      const end = pointOf(event)
      if (!from || !end) return
      if (!gesture.isPull && !hasMoved(from, end)) return
      if (window.scrollY > 0 || !(gesture.isPull || isDownward(from, end))) return cancel()
      if (!gesture.isPull) begin()
      gesture.isPull = true
      moveTo(Math.max(0, end.y - from.y))
    }
    const onEnd = () => {
      const isEnough = gesture.distance >= enough
      cancel()
      if (isEnough) pull()
    }
    const listeners = [
      ['touchstart', onStart],
      ['touchmove', onMove],
      ['touchend', onEnd],
      ['touchcancel', cancel],
    ] as const
    for (const [name, listener] of listeners)
      window.addEventListener(name, listener, { passive: true })
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener)
    }
  }, [enough])
  return distance
}
