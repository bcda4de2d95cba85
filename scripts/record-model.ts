/**
 * Records what a model says about cases, and replays it. The service is started with a model whose answers are files; a command
 * hands cases in and scores them; questions nobody has answered are left in the folder, one file each, and again in few bundles.
 *
 *   npx tsx scripts/record-model.ts --folder recordings [--setting NAME=value] -- node score.mjs --url {url} --admin-key {key} …
 *
 * Answer each `<id>.question.txt` with the JSON object it asks for, in `<id>.json` beside it, or a bundle as it says itself, and run
 * the command again: first the questions about documents come, then those about pairs. When none is open, the scores are those of
 * the model that answered.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FileModel, startFileModel, writeBundles } from '../test/support/file-model.js'
import { startThrowawayService } from './throwaway-service.js'

const args = process.argv.slice(2)
const end = args.indexOf('--')
const options = end < 0 ? args : args.slice(0, end)
const command = end < 0 ? [] : args.slice(end + 1)
const folder = options[options.indexOf('--folder') + 1]
if (!options.includes('--folder') || folder === undefined || command.length === 0) {
  console.error('record-model --folder FOLDER [--setting NAME=value]… -- COMMAND with {url} and {key}')
  process.exit(2)
}
const settings = Object.fromEntries(
  options.flatMap((option, at) => {
    const [name = '', ...value] = option === '--setting' ? (options[at + 1] ?? '').split('=') : []
    return name === '' ? [] : [[name, value.join('=')]]
  }),
)

const model = await startFileModel(folder)
const service = await startThrowawayService({
  name: 'record',
  user: 'recorder',
  settings: { MODEL_URL: model.url, MODEL_NAME: 'recorded', MODEL_PRESET: 'vllm', ...settings },
})
try {
  const url = await service.url()
  const { admin } = JSON.parse(readFileSync(join(service.folder, 'data', 'keys.json'), 'utf8')) as { admin: string }
  const [program = '', ...rest] = command.map(part => part.replaceAll('{url}', url).replaceAll('{key}', admin))
  const child = spawn(program, rest, { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  report(model, folder)
  process.exitCode = code ?? 1
} finally {
  await service.stop()
  await model.close()
}

function report(asked: FileModel, into: string): void {
  const open = asked.open().size
  console.error(`${asked.answered()} questions answered from ${into}, ${open} open`)
  for (const path of writeBundles(into, asked.open)) console.error(`  ${path}`)
}
