/** A named key, or one typed character. */
export type Key =
  | {
      readonly name:
        | 'up'
        | 'down'
        | 'left'
        | 'right'
        | 'page-up'
        | 'page-down'
        | 'home'
        | 'end'
        | 'enter'
        | 'escape'
        | 'tab'
        | 'back-tab'
        | 'backspace'
        | 'delete'
        | 'ctrl-c'
        | 'ctrl-u'
    }
  | { readonly name: 'char'; readonly text: string }
