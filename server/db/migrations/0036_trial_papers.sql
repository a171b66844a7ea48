CREATE TABLE "page_photos" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"caption" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"small_media_type" text NOT NULL,
	"small_width" smallint NOT NULL,
	"small_height" smallint NOT NULL,
	"small_bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "page_photos_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "page_photos_size" CHECK (octet_length("bytes") <= 150000),
	CONSTRAINT "page_photos_small_size" CHECK (octet_length("small_bytes") <= 150000)
);
--> statement-breakpoint
ALTER TABLE "page_photos" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "booking_papers" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"form_key" text NOT NULL,
	"booking_id" uuid NOT NULL,
	"document_visitor_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "booking_papers_dojo_id_form_key_pk" PRIMARY KEY("dojo_id","form_key")
);
--> statement-breakpoint
ALTER TABLE "booking_papers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "public_pages" ADD COLUMN "bookings_per_hour" smallint DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "public_pages" ADD COLUMN "bookings_per_day" smallint DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "visitor_birthday" date;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "check_in_code" text;--> statement-breakpoint
ALTER TABLE "trial_offers" ADD COLUMN "within_days" smallint;--> statement-breakpoint
ALTER TABLE "trial_offers" ADD COLUMN "asks_birthday" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "trial_offers" ADD COLUMN "asks_signature" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "booking_papers" ADD CONSTRAINT "booking_papers_booking" FOREIGN KEY ("dojo_id","booking_id") REFERENCES "public"."bookings"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_papers" ADD CONSTRAINT "booking_papers_visitor" FOREIGN KEY ("dojo_id","document_visitor_id") REFERENCES "public"."document_visitors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_papers_of_booking" ON "booking_papers" USING btree ("dojo_id","booking_id");--> statement-breakpoint
CREATE INDEX "booking_papers_of_visitor" ON "booking_papers" USING btree ("dojo_id","document_visitor_id");--> statement-breakpoint
CREATE INDEX "bookings_waiting" ON "bookings" USING btree ("dojo_id","class_date") WHERE state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_by_code" ON "bookings" USING btree ("dojo_id","check_in_code");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "page_photos" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "page_photos" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "booking_papers" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "booking_papers" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);