type Press = { timeStamp: number; x: number; y: number }

const DOUBLE_TAP_MS = 350
const DOUBLE_TAP_PX = 24

let previousPress: Press | undefined
let lastPress: Press | undefined

document.addEventListener(
  'pointerdown',
  ({ timeStamp, clientX, clientY }) => {
    previousPress = lastPress
    lastPress = { timeStamp, x: clientX, y: clientY }
  },
  { capture: true },
)

/** True for the second tap of a double tap, which is not meant for what the first tap opened. */
export function isSecondTap(): boolean {
  if (!previousPress || !lastPress) return false
  const distance = Math.hypot(lastPress.x - previousPress.x, lastPress.y - previousPress.y)
  const delayMs = lastPress.timeStamp - previousPress.timeStamp
  return delayMs < DOUBLE_TAP_MS && distance < DOUBLE_TAP_PX
}
