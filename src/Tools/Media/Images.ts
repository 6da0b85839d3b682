import { Effect, Schema } from "effect"
import { ImageAspect, ImageId, ImageModel, ImageProfile } from "../../Services/Media/Ids.ts"
import { Images, ImageView } from "../../Services/Media/Images.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { begunSchema, pagesFromOne, promptParam } from "./MediaParams.ts"

const addressesIn = (text: string | undefined): ReadonlyArray<string> => [
  ...new Set(
    (text ?? "")
      .split(",")
      .map((url) => url.trim())
      .filter((url) => url !== "")
  )
]

export const generateImage = Tool.make("generate_image", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Makes an image of what a prompt describes, in the background. Texts in quotation marks are shown as they stand. The answer has its id at once; get_image tells how far it is and where it can be seen. A profile for a social network's post sets the size itself (feed 1080x1350, stories 1080x1920).",
  parameters: {
    prompt: promptParam("What the image shows, in any language; at most 8 000 characters."),
    aspect_ratio: Param.withDefault(
      Param.oneOf(ImageAspect.literals, "1024x1024, 1536x1024 or 1024x1536; a profile wins over it."),
      "Square"
    ),
    transparent: Param.withDefault(
      Param.boolean("Without a background. An engine that cannot leave it out makes the image fail and says so."),
      false
    ),
    reference_image_urls: Param.optional(
      Param.text("Up to 5 absolute https addresses of pictures that the image is made with, comma-separated.", {
        maxLength: 12_000
      })
    ),
    profile: Param.withDefault(
      Param.oneOf(ImageProfile.literals, "What the image is for, where it is a post."),
      "None"
    ),
    model: Param.withDefault(Param.oneOf(ImageModel.literals, "The engine that makes it."), "ImageEngineA")
  },
  returns: begunSchema({ image_generation_id: ImageId }),
  errors: { Refused: ["reference_url_invalid", "too_many_jobs", "too_many_references"] },
  runsInBackground: true,
  example: { prompt: 'A poster for a dental clinic that says "Your smile, looked after"', aspect_ratio: "Portrait" },
  run: Effect.fnUntraced(function* (args) {
    const images = yield* Images
    const { imageId, jobId } = yield* images.start(args.prompt, {
      aspect: args.aspect_ratio,
      profile: args.profile,
      model: args.model,
      isTransparent: args.transparent,
      references: addressesIn(args.reference_image_urls)
    })
    return { image_generation_id: imageId, job_id: jobId, status: "queued" as const }
  })
})

export const getImage = Tool.make("get_image", {
  kind: "read",
  openWorld: false,
  description: "Tells how far an image is and, once it is finished, where it can be seen.",
  parameters: { image_id: Param.id(ImageId, "The image, as generate_image answered it in image_generation_id.") },
  returns: ImageView,
  errors: { NotFound: ["image_not_found"] },
  example: { image_id: 1 },
  run: Tool.via(Images, (images, { image_id }) => images.get(image_id))
})

export const listImages = Tool.make("list_images", {
  kind: "read",
  openWorld: false,
  description: "Lists the images that were asked for, newest first, with how far each is and where it can be seen.",
  parameters: pagesFromOne,
  returns: Tool.page({ images: Schema.Array(ImageView) }),
  example: { page: 1, page_size: 10 },
  run: Tool.pageVia(Images, (images, page) => images.list(page))
})
