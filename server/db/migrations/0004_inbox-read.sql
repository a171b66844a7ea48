ALTER TABLE "incoming_texts" ADD COLUMN "read_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "phone_opt_outs" ADD COLUMN "simulated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "incoming_texts_unread" ON "incoming_texts" USING btree ("dojo_id") WHERE read_at is null;