/** The files a person chose or let go over the page, folders walked through, each named by its path below what was dropped. */

export interface ChosenFile {
  name: string
  file: File
}

export function chosenFiles(list: FileList | null): ChosenFile[] {
  return Array.from(list ?? [], file => ({ name: pathOf(file), file })).filter(({ name }) => !isHidden(name))
}

/** Relative to the folder that was chosen, as the command line names files. */
function pathOf(file: File): string {
  return file.webkitRelativePath === '' ? file.name : file.webkitRelativePath.split('/').slice(1).join('/')
}

export async function droppedFiles(transfer: DataTransfer): Promise<ChosenFile[]> {
  const entries = Array.from(transfer.items, item => item.webkitGetAsEntry()).filter(entry => entry !== null)
  const files = await Promise.all(entries.map(entry => walk(entry, entry.isDirectory ? '' : entry.name)))
  return files.flat().filter(({ name }) => !isHidden(name))
}

async function walk(entry: FileSystemEntry, name: string): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ name, file }]
  }
  const inner = await childrenOf((entry as FileSystemDirectoryEntry).createReader())
  const files = await Promise.all(inner.map(child => walk(child, name === '' ? child.name : `${name}/${child.name}`)))
  return files.flat()
}

/** A reader gives a hundred at a time. */
async function childrenOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function isHidden(name: string): boolean {
  return name.split('/').some(part => part.startsWith('.'))
}
