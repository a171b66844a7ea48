import { useEffect, useEffectEvent, useState } from 'react'

/** A shorter movement is a tap. Browsers use the same distance. */
const MIN_MOVE_PX = 10

type Point = { x: number; y: number }
const firstFinger = ({ touches: [touch] }: TouchEvent): Point | undefined =>
  touch && { x: touch.clientX, y: touch.clientY }

const isDownward = (start: Point, end: Point) => end.y - start.y > Math.abs(end.x - start.x)
const hasMoved = (start: Point, end: Point) =>
  Math.hypot(end.x - start.x, end.y - start.y) > MIN_MOVE_PX

const canStartPull = ({ touches, target }: TouchEvent) =>
  touches.length === 1 &&
  window.scrollY <= 0 &&
  !(target instanceof Element && target.closest('dialog'))

type Gesture = { start: Point | undefined; isPull: boolean; distance: number }

type PullOptions = { thresholdPx: number; onBegin: () => void; onPull: () => void }

/** Returns how far the user has pulled the page down from its top, in CSS pixels. */
export function usePull({ thresholdPx, onBegin, onPull }: PullOptions): number {
  const [distance, setDistance] = useState(0)
  const begin = useEffectEvent(onBegin)
  const pull = useEffectEvent(onPull)
  useEffect(() => {
    const gesture: Gesture = { start: undefined, isPull: false, distance: 0 }
    const showDistance = (newDistance: number) => {
      gesture.distance = newDistance
      setDistance(newDistance)
    }
    const cancel = () => {
      gesture.start = undefined
      gesture.isPull = false
      showDistance(0)
    }
    const onStart = (event: TouchEvent) => {
      cancel()
      if (canStartPull(event)) gesture.start = firstFinger(event)
    }
    const onMove = (event: TouchEvent) => {
      const { start } = gesture
      const end = firstFinger(event)
      if (!start || !end) return
      if (!gesture.isPull && !hasMoved(start, end)) return
      if (window.scrollY > 0 || !(gesture.isPull || isDownward(start, end))) return cancel()
      if (!gesture.isPull) begin()
      gesture.isPull = true
      showDistance(Math.max(0, end.y - start.y))
    }
    const onEnd = () => {
      const isFarEnough = gesture.distance >= thresholdPx
      cancel()
      if (isFarEnough) pull()
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
  }, [thresholdPx])
  return distance
}
