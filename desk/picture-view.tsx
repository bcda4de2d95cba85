/**
 * A picture of a page as it came, upright, with passages and words where they were recognised. Drawn by the browser from the bytes
 * alone: nothing in a picture is followed or run.
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Loading } from './parts'
import type { Passage } from './passages'
import type { WordsOfPage } from './pdf-pages'
import { marksOfWords, type ScanWord } from './scan-marks'
import { ScanWords } from './scan-words'

interface PictureViewProps {
  read: () => Promise<Blob>
  passages: readonly Passage[]
  label: string
  words: WordsOfPage | undefined
  onWord: ((word: ScanWord) => void) | undefined
  onFailure: () => void
}

/** Wider is drawn smaller: a pane is never as wide. */
const mostWidth = 2400

export function PictureView({ read, passages, label, words, onWord, onFailure }: PictureViewProps) {
  const pane = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [shown, setShown] = useState<{ words: readonly ScanWord[] } | null>(null)
  useEffect(() => {
    let isOver = false
    const show = async () => {
      const picture = await bitmapOf(await read())
      const found = (await words?.(1)) ?? []
      if (!isOver && canvas.current !== null) paint(canvas.current, picture)
      picture.close()
      if (!isOver) setShown({ words: found })
    }
    show().catch(() => !isOver && onFailure())
    return () => {
      isOver = true
    }
  }, [read, words])
  const marks = shown === null ? [] : marksOfWords(shown.words, passages)
  useLayoutEffect(() => {
    const main = marks.find(each => each.kind === 'differs') ?? marks.find(each => each.kind === 'main')
    if (main && pane.current && canvas.current)
      pane.current.scrollTop = main.top * canvas.current.clientHeight - pane.current.clientHeight / 3
  }, [shown, passages])
  return (
    <div class="pdf picture" ref={pane} tabIndex={0} role="region" aria-label={label}>
      {shown === null && <Loading what="the original" />}
      <div class="pdf-page" data-page={1}>
        <canvas ref={canvas} />
        {marks.map((mark, index) => (
          <div key={index} class={`page-mark ${mark.kind}`} data-id={mark.id} ref={each => place(each, mark)} />
        ))}
        {onWord !== undefined && shown !== null && shown.words.length > 0 && <ScanWords words={shown.words} onChoose={onWord} />}
      </div>
    </div>
  )
}

async function bitmapOf(file: Blob): Promise<ImageBitmap> {
  const whole = await createImageBitmap(file)
  if (whole.width <= mostWidth) return whole
  const smaller = await createImageBitmap(whole, { resizeWidth: mostWidth, resizeQuality: 'high' })
  whole.close()
  return smaller
}

function paint(canvas: HTMLCanvasElement, picture: ImageBitmap): void {
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
}

/** In shares of the picture, one by one: the page's policy allows no style written into it. */
function place(
  element: HTMLElement | null,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): void {
  const share = (value: number) => `${value * 100}%`
  if (element !== null) Object.assign(element.style, { left: share(left), top: share(top), width: share(width), height: share(height) })
}
