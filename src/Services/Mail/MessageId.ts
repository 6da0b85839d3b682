const shape = /^<[^<>\s@]{1,200}@[^<>\s@]{1,200}>$/

/** Whether a text is a valid Message-ID for a header. */
export const isMessageId = (text: string): boolean => shape.test(text)
