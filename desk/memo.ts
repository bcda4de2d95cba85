/** A component that is drawn again only where one of its properties is another: a text with ten thousand marks takes long to compare. */

import { Component, createElement, type FunctionComponent } from 'preact'

export function memo<P extends object>(drawn: FunctionComponent<P>): new (props: P) => Component<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const keys = Object.keys(next) as (keyof P)[]
      return keys.length !== Object.keys(this.props).length || keys.some(key => next[key] !== this.props[key])
    }

    render() {
      return createElement(drawn, this.props)
    }
  }
}
