ALTER TABLE "sending_pace" ADD COLUMN "share" double precision DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "sending_pace" ADD COLUMN "slowed_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "missed";