declare const temml: { render(tex: string, node: HTMLElement, options: object): void };
export default temml;
