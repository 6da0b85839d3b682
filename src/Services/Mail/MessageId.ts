const shape = /^<[^<>\s@]{1,200}@[^<>\s@]{1,200}>$/

/** Whether a text can stand in a header that holds Message-IDs. */
export const isMessageId = (text: string): boolean => shape.test(text)
