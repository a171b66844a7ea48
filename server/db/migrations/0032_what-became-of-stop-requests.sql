ALTER TABLE "text_consents" ADD COLUMN "undone_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "incoming_texts" ADD COLUMN "stop_request" text;--> statement-breakpoint
ALTER TABLE "incoming_texts" ADD COLUMN "stop_decided_at" timestamp with time zone;--> statement-breakpoint
-- The text that pinned a conversation shows its question until somebody decides. The owner is exempt from the policies of these tables meanwhile.
ALTER TABLE "incoming_texts" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversations" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "incoming_texts" t SET "stop_request" = 'open' FROM "conversations" c
  WHERE c."stop_asked_at" IS NOT NULL AND t."dojo_id" = c."dojo_id" AND t."id" = (
    SELECT i."id" FROM "incoming_texts" i
    WHERE i."dojo_id" = c."dojo_id" AND i."phone" = c."phone" AND i."received_at" >= c."stop_asked_at" - interval '1 second'
    ORDER BY i."id" LIMIT 1);--> statement-breakpoint
ALTER TABLE "incoming_texts" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversations" FORCE ROW LEVEL SECURITY;
