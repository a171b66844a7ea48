import { Button } from '@mantine/core'
import { CHECK_IN_CODE } from '@tatami/contract/kiosk/kiosk'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './kiosk.module.css'

/** TypeScript has no types for https://wicg.github.io/shape-detection-api/. */
type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: ['qr_code'] }) => Detector
declare global {
  interface Window {
    BarcodeDetector?: DetectorClass
  }
}
const SCAN_INTERVAL_MS = 200

const findDetector = async (): Promise<DetectorClass> =>
  window.BarcodeDetector ?? (await import('qr/decode.js')).BarcodeDetector

/** Browsers allow the camera only over https. */
export const canScan = () => 'mediaDevices' in navigator

type Props = { onCode: (code: string) => void; onBack: () => void }

export function ScanView({ onCode, onBack }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const [hasCameraFailed, setCameraFailed] = useState(false)
  const handleCode = useEffectEvent(onCode)
  const handleCameraFailure = useEffectEvent(() => setCameraFailed(true))
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout>
    let hasUnmounted = false
    const scan = async (detector: Detector, element: HTMLVideoElement) => {
      const codes = await detector.detect(element).catch(() => [])
      const code = codes
        .map(({ rawValue }) => rawValue.trim().toUpperCase())
        .find((value) => CHECK_IN_CODE.test(value))
      if (hasUnmounted) return
      if (code) handleCode(code)
      else timer = setTimeout(() => void scan(detector, element), SCAN_INTERVAL_MS)
    }
    const startCamera = async () => {
      const detector = new (await findDetector())({ formats: ['qr_code'] })
      // Uses the front camera, because people hold their phone in front of the tablet.
      const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } })
      const element = video.current
      if (hasUnmounted || !element) return camera.getTracks().forEach((track) => track.stop())
      stream = camera
      element.srcObject = camera
      await element.play()
      void scan(detector, element)
    }
    startCamera().catch(() => {
      if (!hasUnmounted) handleCameraFailure()
    })
    return () => {
      hasUnmounted = true
      clearTimeout(timer)
      stream?.getTracks().forEach((track) => track.stop())
    }
  }, [])
  return (
    <div className={styles.step}>
      <h2 className={styles.title}>Hold your code up to the camera</h2>
      {hasCameraFailed ? (
        <ErrorNotice>
          The camera cannot be used. Allow it for this page in the browser, or use your PIN.
        </ErrorNotice>
      ) : (
        <video
          ref={video}
          className={styles.camera}
          muted
          playsInline
          aria-label="What the camera sees"
        />
      )}
      <div className={styles.actions}>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  )
}
