import { PagePreferences } from '../settings/page-preferences.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Key } from '../ui/key.tsx'
import { PAGE_KEYS } from './page-keys.ts'

/** Keyboard shortcuts and page preferences. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys and preferences" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-1.5 text-sm">
        {PAGE_KEYS.map(({ keys, does }) => (
          <div key={does} className="col-span-2 grid grid-cols-subgrid">
            <dt className="flex justify-end gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 border-t border-line pt-4">
        <PagePreferences />
      </div>
    </Dialog>
  )
}
